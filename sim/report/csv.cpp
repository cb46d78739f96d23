#include "ringlab/sim/report/csv.hpp"

#include <fmt/format.h>

#include <iterator>

namespace ringlab {
namespace {

// Only what needs them gets quotes, as RFC 4180 has it.
std::string field(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"') out += '"';
    out += c;
  }
  return out + "\"";
}

}  // namespace

std::string to_csv(const Trace& trace) {
  std::string out = "rank,lane,name,start_nanoseconds,end_nanoseconds,hop,bytes,flops\n";
  for (const TraceEvent& e : trace.events) {
    fmt::format_to(std::back_inserter(out), "{},{},{},{},{},{},{},{}\n", e.rank, name(e.lane),
                   field(e.name), e.start_nanoseconds, e.end_nanoseconds, e.hop, e.bytes, e.flops);
  }
  return out;
}

}  // namespace ringlab
