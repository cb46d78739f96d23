// A layout of the user's own, read from a JSON file in one of two forms:
//
//   {"owners": [0, 0, 1, 1, 0]}                          the rank of each token
//   {"shards": [[{"first": 0, "stride": 2, "count": 3}], [{"first": 1, "stride": 2, "count": 2}]]}
//                                                        the runs of each rank, in local order
#pragma once

#include <filesystem>
#include <string>

#include "ringlab/reference/sequence/layout.hpp"

namespace ringlab {

/// The layout in a file. `sequence` is a whole sequence, [0, tokens) in order; each of its tokens
/// must be held by exactly one of the ranks. Throws InputError (field `layout_file`) that names the
/// first token held twice or by nobody, and any other mistake.
Layout read_layout(const std::filesystem::path& path, const Positions& sequence, int ranks);

/// The same from the text of a file; `source` is its name in messages.
Layout parse_layout(const std::string& text, const std::string& source, const Positions& sequence,
                    int ranks);

}  // namespace ringlab
