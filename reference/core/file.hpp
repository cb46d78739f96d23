// Reading and writing whole files such that nothing is half read or half written.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace ringlab {

/// The whole file. Throws InputError (field `what`) if it is missing, a folder, unreadable or
/// larger than `limit_bytes`.
std::string read_file(const std::filesystem::path& path, const std::string& what,
                      std::uint64_t limit_bytes);

/// Writes beside the target, then renames: after a failure the old file still stands. Missing
/// parent folders are an InputError (field `what`), as is a folder in the way.
void write_file(const std::filesystem::path& path, std::string_view content,
                const std::string& what = "output file");

}  // namespace ringlab
