// embed OUTPUT NAMESPACE FOLDER FILE...: writes a C++ source that holds the files, each under its
// path below FOLDER. Bytes, not literals, so that any file and any length will do.
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <string>

int main(int argc, char** argv) {
  if (argc < 4) {
    std::cerr << "use: embed OUTPUT NAMESPACE FOLDER FILE...\n";
    return 2;
  }
  std::ofstream out(argv[1]);
  std::string table;
  out << "#include \"ringlab/reference/core/embedded.hpp\"\n\nnamespace " << argv[2] << " {\n\n";
  for (int i = 4; i < argc; ++i) {
    std::ifstream in(argv[i], std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(in), {}};
    if (!in) {
      std::cerr << "embed: cannot read " << argv[i] << "\n";
      return 3;
    }
    const std::string name = std::filesystem::relative(argv[i], argv[3]).generic_string();
    const std::string id = "file" + std::to_string(i - 4);
    out << "static constexpr unsigned char " << id << "[] = {";
    for (std::size_t at = 0; at < text.size(); ++at) {
      if (at % 24 == 0) out << "\n";
      out << static_cast<int>(static_cast<unsigned char>(text[at])) << ",";
    }
    out << "0};\n";
    table += "      {\"" + name + "\", {reinterpret_cast<const char*>(" + id + "), sizeof(" + id +
             ") - 1}},\n";
  }
  out << "\nstd::span<const ringlab::EmbeddedFile> embedded_files() {\n"
      << "  static const ringlab::EmbeddedFile files[] = {\n"
      << table << "  };\n  return files;\n}\n\n}  // namespace " << argv[2] << "\n";
  out.close();
  return out ? 0 : 3;
}
