// QTI 2.1 (imsglobal.org/question/qtiv2p1): a content package of single-choice items, each with
// feedback for the option chosen.
#include <fmt/format.h>
#include <time.h>
#include <zip.h>

#include <memory>

#include "ringlab/quiz/export/export.hpp"

namespace ringlab::quiz {
namespace {

std::string xml(const std::string& text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

std::string choice(std::size_t index) {
  return "C" + std::to_string(index + 1);
}

std::string item_xml(const Bank& bank, const ExportQuestion& one, const std::string& language) {
  const Question& question = one.question;
  std::string out = fmt::format(
      R"(<?xml version="1.0" encoding="UTF-8"?>
<assessmentItem xmlns="http://www.imsglobal.org/xsd/imsqti_v2p1" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:schemaLocation="http://www.imsglobal.org/xsd/imsqti_v2p1 http://www.imsglobal.org/xsd/qti/qtiv2p1/imsqti_v2p1.xsd" identifier="{0}" title="{0}" adaptive="false" timeDependent="false" xml:lang="{1}">
  <responseDeclaration identifier="RESPONSE" cardinality="single" baseType="identifier">
    <correctResponse><value>{2}</value></correctResponse>
  </responseDeclaration>
  <outcomeDeclaration identifier="SCORE" cardinality="single" baseType="float">
    <defaultValue><value>0</value></defaultValue>
  </outcomeDeclaration>
  <outcomeDeclaration identifier="FEEDBACK" cardinality="single" baseType="identifier"/>
  <itemBody>
    <choiceInteraction responseIdentifier="RESPONSE" shuffle="false" maxChoices="1">
      <prompt>{3}</prompt>
)",
      one.name, language, choice(static_cast<std::size_t>(question.right())),
      xml(question.stem.in(language)));
  for (std::size_t i = 0; i < question.options.size(); ++i) {
    out += fmt::format("      <simpleChoice identifier=\"{}\">{}</simpleChoice>\n", choice(i),
                       xml(question.options[i].text.in(language)));
  }
  out += R"(    </choiceInteraction>
  </itemBody>
  <responseProcessing>
    <responseCondition>
      <responseIf>
        <match><variable identifier="RESPONSE"/><correct identifier="RESPONSE"/></match>
        <setOutcomeValue identifier="SCORE"><baseValue baseType="float">1</baseValue></setOutcomeValue>
      </responseIf>
    </responseCondition>
    <setOutcomeValue identifier="FEEDBACK"><variable identifier="RESPONSE"/></setOutcomeValue>
  </responseProcessing>
)";
  for (std::size_t i = 0; i < question.options.size(); ++i) {
    const Option& option = question.options[i];
    const std::string said =
        option.right ? explanation_of(question, language)
                     : bank.misconceptions.at(option.misconception).name.in(language) + " " +
                           option.mend.in(language) + " " + explanation_of(question, language);
    out += fmt::format(
        "  <modalFeedback outcomeIdentifier=\"FEEDBACK\" identifier=\"{}\" "
        "showHide=\"show\">{}</modalFeedback>\n",
        choice(i), xml(said));
  }
  return out + "</assessmentItem>\n";
}

std::string manifest_xml(const std::vector<ExportQuestion>& questions) {
  std::string out =
      R"(<?xml version="1.0" encoding="UTF-8"?>
<manifest xmlns="http://www.imsglobal.org/xsd/imscp_v1p1" identifier="RINGLAB">
  <metadata>
    <schema>QTIv2.1 Package</schema>
    <schemaversion>1.0.0</schemaversion>
  </metadata>
  <organizations/>
  <resources>
)";
  for (const ExportQuestion& one : questions) {
    out += fmt::format(
        "    <resource identifier=\"R-{0}\" type=\"imsqti_item_xmlv2p1\" href=\"items/{0}.xml\">"
        "<file href=\"items/{0}.xml\"/></resource>\n",
        one.name);
  }
  return out + "  </resources>\n</manifest>\n";
}

// A zip in memory, with one fixed time, so that the same bank gives the same bytes.
std::string zip_of(const std::vector<std::pair<std::string, std::string>>& files) {
  constexpr time_t kTime = 315532800;  // 1980, where the times of a zip begin
  zip_error_t error;
  zip_error_init(&error);
  zip_source_t* buffer = zip_source_buffer_create(nullptr, 0, 0, &error);
  RINGLAB_ENSURE(buffer != nullptr, "memory for a zip");
  zip_source_keep(buffer);
  zip_t* archive = zip_open_from_source(buffer, ZIP_TRUNCATE, &error);
  RINGLAB_ENSURE(archive != nullptr, "a zip in memory");
  for (const auto& [name, content] : files) {
    zip_source_t* source = zip_source_buffer(archive, content.data(), content.size(), 0);
    const zip_int64_t index = zip_file_add(archive, name.c_str(), source, ZIP_FL_ENC_UTF_8);
    RINGLAB_ENSURE(index >= 0, "a file in a zip");
    zip_file_set_mtime(archive, static_cast<zip_uint64_t>(index), kTime, 0);
  }
  RINGLAB_ENSURE(zip_close(archive) == 0, "a zip is written");
  zip_stat_t status;
  RINGLAB_ENSURE(zip_source_stat(buffer, &status) == 0 && zip_source_open(buffer) == 0,
                 "a zip is read back");
  std::string out(status.size, '\0');
  RINGLAB_ENSURE(
      zip_source_read(buffer, out.data(), out.size()) == static_cast<zip_int64_t>(out.size()),
      "the whole zip is read back");
  zip_source_close(buffer);
  zip_source_free(buffer);
  return out;
}

}  // namespace

std::string export_qti(const Bank& bank, const ExportOptions& options) {
  const std::vector<ExportQuestion> questions = export_questions(bank, options);
  std::vector<std::pair<std::string, std::string>> files = {
      {"imsmanifest.xml", manifest_xml(questions)}};
  for (const ExportQuestion& one : questions) {
    files.emplace_back("items/" + one.name + ".xml", item_xml(bank, one, options.language));
  }
  return zip_of(files);
}

}  // namespace ringlab::quiz
