// What the shell tests need of JSON, read by a parser that is not ours.
//   json_tool object                standard input is one JSON object and nothing else: ends with 0
//   json_tool get POINTER           prints the value there ("/exact"), as JSON
//   json_tool bad-scenarios LIST DIR  writes each document of tests/data/bad_scenarios.json into
//                                   DIR/N/scenario.json and prints "N<tab>field", one a line
#include <filesystem>
#include <fstream>
#include <iostream>
#include <nlohmann/json.hpp>

namespace {

using Json = nlohmann::json;

std::string document_of(const Json& item) {
  if (item.contains("document")) return item["document"];
  const std::string hex = item["document_hex"];
  std::string out;
  for (std::size_t i = 0; i < hex.size(); i += 2) {
    out += static_cast<char>(std::stoi(hex.substr(i, 2), nullptr, 16));
  }
  return out;
}

void write_bad_scenarios(const std::filesystem::path& list, const std::filesystem::path& folder) {
  std::ifstream file(list);
  int number = 0;
  for (const Json& item : Json::parse(file)) {
    const auto place = folder / std::to_string(++number);
    std::filesystem::create_directories(place);
    std::ofstream(place / "scenario.json", std::ios::binary) << document_of(item);
    std::cout << number << '\t' << item["field"].get<std::string>() << '\n';
  }
}

}  // namespace

int main(int argc, char** argv) {
  const std::string job = argc > 1 ? argv[1] : "";
  if (job == "bad-scenarios" && argc == 4) {
    write_bad_scenarios(argv[2], argv[3]);
    return 0;
  }
  const Json json = Json::parse(std::cin, nullptr, false);
  if (!json.is_object()) return 1;
  if (job == "get" && argc == 3) {
    std::cout << json.at(Json::json_pointer(argv[2])) << '\n';
  }
  return 0;
}
