// `ringlab quiz certificate`, `keygen`, `issue` and `verify`: who passed, who says so, and what of
// it can be checked.
#include <fmt/format.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "cli/console.hpp"
#include "cli/quiz.hpp"
#include "cli/quiz_session.hpp"
#include "cli/terminal.hpp"
#include "ringlab/quiz/credential/bake.hpp"
#include "ringlab/quiz/credential/picture/picture.hpp"
#include "ringlab/quiz/credential/verify.hpp"
#include "ringlab/quiz/engine/json.hpp"
#include "ringlab/reference/core/error.hpp"
#include "ringlab/reference/core/file.hpp"

namespace ringlab::cli {
namespace {

using Json = nlohmann::ordered_json;
using namespace quiz;
namespace fs = std::filesystem;

constexpr std::uint64_t kLargestTranscript = 1u << 20;  // bytes

struct IssueOptions {
  std::string name, issuer, transcript, key, out, language = "en";
};

struct VerifyCommand {
  std::string file;
  std::vector<std::string> trust;
  bool json = false;
};

fs::path own_key_file() {
  return data_folder() / "key";
}

// The last passed run of the learner's own folder.
fs::path last_passed() {
  std::vector<fs::path> files;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(data_folder() / "exams", error)) {
    if (entry.path().extension() == ".json") files.push_back(entry.path());
  }
  std::sort(files.rbegin(), files.rend());
  for (const fs::path& file : files) {
    const Run run = parse_run(read_file(file, "transcript", kLargestTranscript), file.string());
    if (run.bank_hash == bank().hash && passes(score_of(bank(), run))) return file;
  }
  throw InputError("transcript", "none is passed", "pass one first: ringlab quiz exam");
}

std::string lower_extension(const std::string& path) {
  std::string extension = fs::path(path).extension().string();
  for (char& c : extension) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return extension;
}

// Writes the certificate as the ending of `out` says; without an ending as all three.
int write_certificate(const IssueOptions& options, const SigningKey& key, bool self_issued) {
  const std::string extension = lower_extension(options.out);
  const bool all = extension.empty();
  if (!all && extension != ".png" && extension != ".svg" && extension != ".json") {
    throw InputError("out", options.out, "end it with .png, .svg or .json, or with none for all");
  }
  const std::string transcript =
      options.transcript.empty() ? last_passed().string() : options.transcript;
  const Run run = parse_run(read_file(transcript, "transcript", kLargestTranscript), transcript);
  const std::string name = composed_name(options.name);
  const std::string issuer = self_issued ? name : composed_name(options.issuer);
  const Certificate certificate =
      certificate_of(bank(), run, name, key.public_key(), issuer, now_seconds());
  const std::string json = signed_json(certificate, key);
  const PictureOptions look{options.language, self_issued};
  const std::string base = options.out.empty() ? "certificate" : options.out;
  std::vector<std::string> written;
  const auto write = [&](const char* ending, const std::string& content) {
    const std::string path = all ? base + ending : options.out;
    write_file(path, content, "out");
    written.push_back(path);
  };
  if (all || extension == ".png") {
    write(".png", bake_png(picture_png(bank(), certificate, look), json));
  }
  if (all || extension == ".svg") {
    write(".svg", bake_svg(picture_svg(bank(), certificate, look), json));
  }
  if (all || extension == ".json") write(".json", json);
  fmt::print("{}\n",
             wrapped(fmt::format("Certificate {} for {}: {} of {} right.", certificate.short_id,
                                 name, certificate.score.right, certificate.score.asked),
                     terminal_width()));
  for (const std::string& path : written) fmt::print("  {}\n", path);
  fmt::print("Check it: ringlab quiz verify {}\n", written.front());
  return kGood;
}

int make_own(const IssueOptions& options) {
  const QuizFolder folder;
  if (!fs::exists(own_key_file())) SigningKey::generate().save(own_key_file());
  return write_certificate(options, SigningKey::load(own_key_file()), true);
}

int issue(const IssueOptions& options) {
  const fs::path key = options.key.empty() ? own_key_file() : fs::path(options.key);
  return write_certificate(options, SigningKey::load(key), false);
}

int keygen(const std::string& out) {
  const fs::path path = out.empty() ? own_key_file() : fs::path(out);
  const SigningKey key = SigningKey::generate();
  key.save(path);
  fmt::print("{}\n", did_of(key.public_key()));
  fmt::print(stderr, "ringlab: the secret key is in {}, for you alone; the line above is public\n",
             path.string());
  return kGood;
}

// A key as text, or a file that holds one.
PublicKey trusted_key(const std::string& text) {
  std::error_code error;
  if (!fs::is_regular_file(text, error)) return public_key_from(text, "trust");
  std::string content = read_file(text, "trust", 4096);
  while (!content.empty() && std::isspace(static_cast<unsigned char>(content.back()))) {
    content.pop_back();
  }
  return public_key_from(content, "trust");
}

const char* name(Trust trust) {
  switch (trust) {
    case Trust::trusted:
      return "trusted";
    case Trust::own:
      return "own";
    case Trust::unknown:
      return "unknown";
  }
  return "?";
}

void print_json(const Verdict& verdict) {
  Json checks = Json::array();
  for (const Check& check : verdict.checks) {
    checks.push_back({{"name", check.name}, {"good", check.good}, {"text", check.text}});
  }
  Json json = {{"valid", verdict.good()}, {"checks", checks}};
  if (verdict.certificate) {
    const Certificate& certificate = *verdict.certificate;
    json["id"] = certificate.id;
    json["short_id"] = certificate.short_id;
    json["name"] = certificate.name;
    json["issuer"] = certificate.issuer;
    json["issuer_name"] = certificate.issuer_name;
    json["issued_at"] = time_stamp(certificate.issued_at);
    json["right"] = certificate.score.right;
    json["asked"] = certificate.score.asked;
    json["trust"] = name(verdict.trust);
  }
  json["meaning"] = verdict.meaning();
  fmt::print("{}\n", json.dump(1));
}

void print_text(const Verdict& verdict, bool picture) {
  const int width = terminal_width();
  if (verdict.certificate) {
    const Certificate& certificate = *verdict.certificate;
    const auto line = [&](const std::string& label, const std::string& text) {
      fmt::print("{}\n", wrapped(text, width, 11, fmt::format("{:<11}", label)));
    };
    line("for", certificate.name);
    line("result", fmt::format("{} of {} right", certificate.score.right, certificate.score.asked));
    line("issued", time_stamp(certificate.issued_at));
    line("id", certificate.short_id + " " + certificate.id);
    line("signed by", certificate.issuer_name + " " + certificate.issuer);
    fmt::print("\n");
  }
  for (const Check& check : verdict.checks) {
    const std::string mark = check.good ? "good" : "BAD";
    fmt::print("{}\n", wrapped(check.name + ": " + check.text, width, 6,
                               coloured(fmt::format("{:<5}", mark),
                                        check.good ? Colour::green : Colour::red)));
  }
  fmt::print("\n{}\n", bold(verdict.good() ? "Valid." : "Not valid."));
  fmt::print("{}\n", wrapped(verdict.meaning(), width));
  if (picture && verdict.good()) {
    fmt::print("{}\n", wrapped("The drawing itself is not signed: believe the lines above, not "
                               "what it shows.",
                               width));
  }
}

int verify(const VerifyCommand& command) {
  VerifyOptions options;
  options.now = now_seconds();
  for (const std::string& key : command.trust) options.trusted.push_back(trusted_key(key));
  const std::string file = read_file(command.file, "certificate", kLargestCertificate);
  if (std::error_code error; fs::exists(own_key_file(), error)) {
    try {
      options.own = SigningKey::load(own_key_file()).public_key();
    } catch (const InputError& damaged) {
      fmt::print(stderr, "ringlab: {}; so it is not compared\n", damaged.what());
    }
  }
  const Verdict verdict = verify_certificate(bank(), file, options);
  if (command.json) {
    print_json(verdict);
  } else {
    print_text(verdict, !file.empty() && file[0] != '{');
  }
  return verdict.good() ? kGood : kNo;
}

void add_look(CLI::App& command, IssueOptions& options) {
  command.add_option("--name", options.name, "Whom the certificate is for; a nickname will do")
      ->required();
  command.add_option("--language", options.language, "Of the picture: en, so or am [en]");
  command
      .add_option("--out", options.out,
                  "A .png, .svg or .json file; without an ending all three [certificate]")
      ->type_name("FILE");
}

}  // namespace

void add_quiz_credential(CLI::App& quiz, Action& action) {
  auto own = std::make_shared<IssueOptions>();
  CLI::App* certificate = quiz.add_subcommand(
      "certificate", "Make the certificate of your last passed run, signed with your own key");
  certificate->footer("Example:\n  ringlab quiz certificate --name \"Hodan\" --out hodan.png");
  add_look(*certificate, *own);
  certificate->add_option("--transcript", own->transcript, "Another run's file")->type_name("FILE");
  certificate->callback([own, &action] { action = [own] { return make_own(*own); }; });

  auto verify_command = std::make_shared<VerifyCommand>();
  CLI::App* verifier = quiz.add_subcommand(
      "verify", "Check a certificate offline: signatures, dates, and the answers graded again");
  verifier->footer("Example:\n  ringlab quiz verify certificate.png");
  verifier->add_option("file", verify_command->file, "A .png, .svg or .json certificate")
      ->required()
      ->type_name("FILE");
  verifier
      ->add_option("--trust", verify_command->trust,
                   "A key that you trust, or a file with one; the issuer must be one of them")
      ->type_name("KEY")
      ->allow_extra_args(false);
  verifier->add_flag("--json", verify_command->json, "One JSON object on standard output");
  verifier->callback(
      [verify_command, &action] { action = [verify_command] { return verify(*verify_command); }; });

  auto out = std::make_shared<std::string>();
  CLI::App* maker =
      quiz.add_subcommand("keygen", "Make a key to sign with; prints its public half");
  maker->footer("Example:\n  ringlab quiz keygen --out school.key");
  maker->add_option("--out", *out, "Where the secret key goes, for you alone to read")
      ->type_name("FILE");
  maker->callback([out, &action] { action = [out] { return keygen(*out); }; });

  auto issued = std::make_shared<IssueOptions>();
  CLI::App* issuer = quiz.add_subcommand(
      "issue", "As an instructor: grade a learner's transcript again, then sign the certificate");
  issuer->footer(
      "Example:\n  ringlab quiz issue transcript.json --name \"Hodan\" --issuer \"My School\" "
      "--key school.key");
  issuer->add_option("transcript", issued->transcript, "The learner's file")
      ->required()
      ->type_name("FILE");
  issuer->add_option("--issuer", issued->issuer, "What you call yourself")->required();
  issuer->add_option("--key", issued->key, "Your secret key [that of keygen]")->type_name("FILE");
  add_look(*issuer, *issued);
  issuer->callback([issued, &action] { action = [issued] { return issue(*issued); }; });
}

}  // namespace ringlab::cli
