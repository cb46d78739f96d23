// NumPy's .npy files: one array each, formats 1.0, 2.0 and 3.0.
//
// Element types '<f4', '<f8', '<f2', and '<V2' for bfloat16: NumPy has no bfloat16 of its own, and
// '<V2' is what np.save writes for ml_dtypes.bfloat16 (a plain two-byte void is '|V2' and refused).
// Big-endian, structured and pickled arrays are refused by name. Fortran order is read, and turned
// into C order; writing is always C order in format 1.0.
// Format: numpy.org/doc/stable/reference/generated/numpy.lib.format.html
#pragma once

#include <filesystem>
#include <string_view>

#include "ringlab/reference/io/array.hpp"

namespace ringlab {

/// The array in a file. Throws InputError whose field is the path.
Array read_npy(const std::filesystem::path& path);

/// The array in the bytes of a file. Throws InputError whose field is `source`.
Array parse_npy(std::string_view bytes, const std::string& source);

/// The bytes of a file; for every type but bfloat16 the same that np.save writes.
std::string npy_bytes(const Array& array);

/// Throws InputError where the file cannot be written.
void write_npy(const std::filesystem::path& path, const Array& array);

}  // namespace ringlab
