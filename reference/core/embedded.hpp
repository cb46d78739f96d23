// A data file that the program carries inside itself (cmake/ringlab_embed.cmake puts it there).
#pragma once

#include <span>
#include <string_view>

namespace ringlab {

struct EmbeddedFile {
  std::string_view name;  // path below the folder that holds the data: "gpus/h100.json"
  std::string_view text;
};

}  // namespace ringlab
