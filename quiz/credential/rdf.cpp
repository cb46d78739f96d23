#include "ringlab/quiz/credential/rdf.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "ringlab/quiz/credential/encoding.hpp"
#include "ringlab/reference/core/embedded.hpp"

namespace ringlab::quiz {

namespace credential_data {
std::span<const EmbeddedFile> embedded_files();
}

namespace detail {
namespace {

using Json = nlohmann::json;
using ringlab::detail::brief;

constexpr const char* kType = "<http://www.w3.org/1999/02/22-rdf-syntax-ns#type>";

const Json& contexts() {
  static const Json read = [] {
    for (const EmbeddedFile& file : credential_data::embedded_files()) {
      if (file.name == "contexts.json") return ringlab::detail::parse_json(file.text, "contexts");
    }
    RINGLAB_ENSURE(false, "contexts.json is embedded");
    return Json();
  }();
  return read;
}

// A node without an id while it has no name yet: "_:b" and a number; b is followed by its place.
struct Triple {
  std::string subject, predicate, object;
};

bool is_blank(const std::string& term) {
  return term.rfind("_:", 0) == 0;
}

std::string iri(const std::string& text, const std::string& where) {
  const bool absolute = text.find(':') != std::string::npos && text.find(':') > 0;
  const bool clean = std::none_of(text.begin(), text.end(), [](char c) {
    return static_cast<unsigned char>(c) <= 0x20 ||
           std::string_view("<>\"{}|^`\\").find(c) != std::string_view::npos;
  });
  if (!absolute || !clean) throw InputError(where, text, "give an absolute address");
  return "<" + text + ">";
}

// Canonical N-Quads escape only what would end the literal or the line.
std::string literal(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    switch (c) {
      case '"':
        out += "\\\"";
        break;
      case '\\':
        out += "\\\\";
        break;
      case '\n':
        out += "\\n";
        break;
      case '\r':
        out += "\\r";
        break;
      case '\b':
        out += "\\b";
        break;
      case '\t':
        out += "\\t";
        break;
      case '\f':
        out += "\\f";
        break;
      default:
        if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) {
          out += fmt::format("\\u{:04X}", static_cast<int>(c));
        } else {
          out += c;
        }
    }
  }
  return out + '"';
}

class Walk {
 public:
  explicit Walk(const Json& document) {
    if (!document.is_object() || !document.contains("@context")) {
      throw InputError("@context", "missing", "give a credential");
    }
    const Json& list = document["@context"];
    if (!list.is_array() || list.empty()) throw InputError("@context", brief(list), "give a list");
    for (const Json& url : list) {
      if (!url.is_string() || !contexts().contains(url.get<std::string>())) {
        throw InputError("@context", brief(url), "this program does not have that context");
      }
      active_.push_back(&contexts()[url.get<std::string>()]);
    }
    node(document, "credential", true);
  }

  std::vector<Triple> triples;

 private:
  const Json& meaning(const char* kind, const std::string& word, const std::string& where) const {
    for (const Json* context : active_) {
      if ((*context)[kind].contains(word)) return (*context)[kind][word];
    }
    throw InputError(where, word, "a word that its contexts do not have");
  }

  // The name of a node; its triples go on the list.
  std::string node(const Json& object, const std::string& where, bool root = false) {
    if (object.is_string()) return iri(object, where);
    if (!object.is_object()) throw InputError(where, brief(object), "give an object");
    std::string name;
    if (object.contains("id")) {
      if (!object["id"].is_string()) throw InputError(where, brief(object["id"]), "give an id");
      name = iri(object["id"], where + ".id");
    } else {
      name = fmt::format("_:b{}", blanks_++);
    }
    for (const auto& [key, value] : object.items()) {
      if (key == "id" || (root && key == "@context")) continue;
      if (value.is_array() && value.empty()) throw InputError(where, key, "an empty list");
      const Json list = value.is_array() ? value : Json::array({value});
      for (const Json& one : list) member(name, key, one, where + "." + key);
    }
    return name;
  }

  void member(const std::string& subject, const std::string& key, const Json& value,
              const std::string& where) {
    if (key == "type") {
      if (!value.is_string()) throw InputError(where, brief(value), "give a word");
      const Json& type = meaning("types", value, where);
      triples.push_back({subject, kType, iri(type, where)});
      return;
    }
    const Json& term = meaning("terms", key, where);
    const std::string predicate = iri(term["iri"], where);
    const std::string kind = term.value("kind", "literal");
    if (kind == "id") {
      triples.push_back({subject, predicate, node(value, where)});
    } else if (kind == "word") {
      if (!value.is_string() || !term["words"].contains(value.get<std::string>())) {
        throw InputError(where, brief(value), "an unknown word");
      }
      triples.push_back({subject, predicate, iri(term["words"][value.get<std::string>()], where)});
    } else {
      const std::string datatype = term.value("datatype", "");
      if (!value.is_string() && !(value.is_boolean() && !datatype.empty())) {
        throw InputError(where, brief(value), "give text");
      }
      std::string object = literal(value.is_string() ? value.get<std::string>() : value.dump());
      if (!datatype.empty()) object += "^^<" + datatype + ">";
      triples.push_back({subject, predicate, object});
    }
  }

  std::vector<const Json*> active_;
  int blanks_ = 0;
};

std::string line(const Triple& triple, const std::function<std::string(const std::string&)>& name) {
  return name(triple.subject) + " " + triple.predicate + " " + name(triple.object) + " .\n";
}

// RDFC-1.0, 4.6: the hash of a node's own lines, itself written _:a and other nodes _:z.
std::map<std::string, std::string> canonical_names(const std::vector<Triple>& triples) {
  std::set<std::string> blanks;
  for (const Triple& triple : triples) {
    for (const std::string& term : {triple.subject, triple.object}) {
      if (is_blank(term)) blanks.insert(term);
    }
  }
  std::map<std::string, std::string> by_hash;
  for (const std::string& blank : blanks) {
    std::vector<std::string> lines;
    for (const Triple& triple : triples) {
      if (triple.subject != blank && triple.object != blank) continue;
      lines.push_back(line(triple, [&](const std::string& term) {
        return !is_blank(term) ? term : term == blank ? "_:a" : "_:z";
      }));
    }
    std::sort(lines.begin(), lines.end());
    std::string all;
    for (const std::string& one : lines) all += one;
    const Hash hash = sha256(all);
    if (!by_hash.emplace(hex(hash.data(), hash.size()), blank).second) {
      throw InputError("credential", "two nodes without an id that look alike", "give them ids");
    }
  }
  std::map<std::string, std::string> names;
  for (const auto& [hash, blank] : by_hash) names[blank] = fmt::format("_:c14n{}", names.size());
  return names;
}

}  // namespace

std::string canonical_rdf(const Json& document) {
  const Walk walk(document);
  const auto names = canonical_names(walk.triples);
  std::set<std::string> lines;
  for (const Triple& triple : walk.triples) {
    lines.insert(line(
        triple, [&](const std::string& term) { return is_blank(term) ? names.at(term) : term; }));
  }
  std::string out;
  for (const std::string& one : lines) out += one;
  return out;
}

}  // namespace detail
}  // namespace ringlab::quiz
