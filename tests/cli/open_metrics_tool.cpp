// Reads OpenMetrics text strictly and prints each sample as name{label=value,...} value; ends with
// 1 and the reason for what is none.
#include <fstream>
#include <iostream>
#include <sstream>

#include "tests/sim/report/open_metrics_parser.hpp"

int main(int argc, char** argv) {
  std::ifstream file(argc > 1 ? argv[1] : "", std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  try {
    std::cout.precision(17);
    for (const auto& family : open_metrics::parse(text.str()).families) {
      for (const auto& sample : family.samples) {
        std::cout << sample.name << '{';
        const char* comma = "";
        for (const auto& [key, value] : sample.labels) {
          std::cout << comma << key << '=' << value;
          comma = ",";
        }
        std::cout << "} " << sample.value << '\n';
      }
    }
    return 0;
  } catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    return 1;
  }
}
