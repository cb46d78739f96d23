// A schedule as Chakra execution traces (MLCommons), so that other simulators can replay it.
//
// One file a rank: messages of protocol buffers, each with its length in front as a varint; first a
// GlobalMetadata, then the rank's nodes. A tile is a COMP_NODE with its duration and number of
// operations; a move is a COMM_SEND_NODE or COMM_RECV_NODE with size, peers and a tag that counts
// the moves from one rank to another. A collective is taken apart into its moves. What the schedule
// orders becomes data dependencies: the steps of a rank run in order, an exchange begins where it
// stands and after the one before it on its channel, and whoever waits depends on what he waits
// for. Merging, adding and releasing cost nothing here.
//
// Field numbers: github.com/mlcommons/chakra, schema/protobuf/et_def.proto, version 0.0.4.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "ringlab/reference/schedule/ledger.hpp"
#include "ringlab/reference/schedule/schedule.hpp"

namespace ringlab {

/// Seconds that a rank takes for one tile with visible pairs.
using TileSeconds = std::function<double(int rank, const TileWork& tile)>;

/// The file of each rank, as bytes. Tiles without visible pairs make no node. Durations are whole
/// microseconds in the format, rounded up so that no tile is free; the exact figure stands beside
/// them as the attribute duration_nanoseconds.
std::vector<std::string> to_chakra(const Schedule& schedule, const Mask& mask,
                                   const TileSeconds& seconds, const ElementBytes& element = {});

/// Writes them as FOLDER/NAME.RANK.et, the names that ASTRA-sim looks for. Makes the folder.
void write_chakra(const std::filesystem::path& folder, const std::string& name,
                  const std::vector<std::string>& files);

}  // namespace ringlab
