// A trace as a Chrome trace-event file: opens in Perfetto (ui.perfetto.dev) and is read back here.
//
// One process per rank, named "rank 3", one thread per lane, one complete event (ph "X") per
// TraceEvent with hop, bytes and flops as arguments. Times in the file are microseconds since the
// earliest event, with the nanoseconds as fraction; the origin stands beside them, so that a
// machine that has been up for a year does not lose nanoseconds to a double.
#pragma once

#include <string>
#include <string_view>

#include "ringlab/reference/trace/trace.hpp"

namespace ringlab {

/// The trace as JSON, events in their order, metadata under "otherData". Text that is not UTF-8
/// gets replacement characters. Throws InvariantError for an event of a negative rank, one that
/// ends before it starts, flops that are not finite, or a trace longer than 2^52 ns (52 days).
std::string to_chrome_json(const Trace& trace);

/// Reads back what `to_chrome_json` wrote, equal in every event and to the nanosecond. `name` (a
/// file name) opens the field of each InputError: "run.json.traceEvents[3].dur".
Trace parse_chrome_json(std::string_view text, const std::string& name);

}  // namespace ringlab
