// Every MPI call goes through `mpi_call`, and what MPI hands out has an owner.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "ringlab/reference/core/error.hpp"

namespace ringlab::detail {

/// Throws RunError with MPI's own text unless `code` is MPI_SUCCESS.
inline void mpi_call(int code, const char* what) {
  if (code == MPI_SUCCESS) return;
  char text[MPI_MAX_ERROR_STRING] = "";
  int length = 0;
  MPI_Error_string(code, text, &length);
  throw RunError(std::string(what) + ": " + std::string(text, static_cast<std::size_t>(length)));
}

/// The bytes of a message as one MPI datatype: absolute addresses, to be used with MPI_BOTTOM and
/// count 1. Blocks are cut at 1 GiB, as MPI counts with int.
class MpiBytes {
 public:
  template <class Byte>
  explicit MpiBytes(const std::vector<std::span<Byte>>& parts) {
    constexpr std::size_t kBlock = std::size_t{1} << 30;
    std::vector<int> lengths;
    std::vector<MPI_Aint> places;
    for (std::span<Byte> part : parts) {
      while (!part.empty()) {
        const std::size_t length = part.size() < kBlock ? part.size() : kBlock;
        MPI_Aint place = 0;
        mpi_call(MPI_Get_address(part.data(), &place), "MPI_Get_address");
        lengths.push_back(static_cast<int>(length));
        places.push_back(place);
        part = part.subspan(length);
      }
    }
    mpi_call(MPI_Type_create_hindexed(static_cast<int>(lengths.size()), lengths.data(),
                                      places.data(), MPI_BYTE, &type_),
             "MPI_Type_create_hindexed");
    mpi_call(MPI_Type_commit(&type_), "MPI_Type_commit");
  }
  // MPI keeps the type alive for requests that use it.
  ~MpiBytes() { MPI_Type_free(&type_); }
  MpiBytes(const MpiBytes&) = delete;
  MpiBytes& operator=(const MpiBytes&) = delete;

  MPI_Datatype get() const { return type_; }

 private:
  MPI_Datatype type_ = MPI_DATATYPE_NULL;
};

}  // namespace ringlab::detail
