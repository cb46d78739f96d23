// Where tokens stand and who sees whom, on the device: what reference/sequence does, from runs.
//
// A sub-tile is empty, full or partial by the bounds of its positions and documents. Every thread
// of a block works that out for itself from the few runs that a sub-tile touches: it costs no
// barrier, and all threads take the same branch.
#pragma once

#include "ringlab/cuda/kernels/kernels.hpp"
#include "ringlab/cuda/runtime/device.hpp"

namespace ringlab::cuda {
inline namespace RINGLAB_CUDA_SIDE {

struct TokenPlace {
  std::int64_t position = 0;
  std::int32_t document = 0;
};

/// The run that holds a token; the token exists.
__device__ inline std::int32_t run_of(const TokenPlaces& places, std::int64_t token) {
  std::int32_t low = 0, high = places.run_count - 1;
  while (low < high) {
    const std::int32_t middle = (low + high + 1) / 2;
    if (places.runs[middle].start <= token) {
      low = middle;
    } else {
      high = middle - 1;
    }
  }
  return low;
}

__device__ inline TokenPlace place_of(const TokenPlaces& places, std::int64_t token) {
  const DeviceRun& run = places.runs[run_of(places, token)];
  return {run.first + run.stride * (token - run.start), run.document};
}

/// Smallest and largest position and document of some tokens, ends included.
struct Bounds {
  std::int64_t first, last;
  std::int32_t first_document, last_document;
};

/// Of tokens [first, first + count) as far as there are any; there is at least one.
__device__ inline Bounds bounds_of(const TokenPlaces& places, std::int64_t first, int count) {
  const std::int64_t end = first + count < places.tokens ? first + count : places.tokens;
  std::int32_t r = run_of(places, first);
  Bounds all{INT64_MAX, INT64_MIN, INT32_MAX, INT32_MIN};
  for (std::int64_t token = first; token < end; ++r) {
    const DeviceRun& run = places.runs[r];
    const std::int64_t run_end = run.start + run.count;
    const std::int64_t piece_end = run_end < end ? run_end : end;
    const std::int64_t low = run.first + run.stride * (token - run.start);
    const std::int64_t high = run.first + run.stride * (piece_end - 1 - run.start);
    all.first = low < all.first ? low : all.first;
    all.last = high > all.last ? high : all.last;
    all.first_document = run.document < all.first_document ? run.document : all.first_document;
    all.last_document = run.document > all.last_document ? run.document : all.last_document;
    token = piece_end;
  }
  return all;
}

__device__ inline bool visible(const MaskReach& mask, TokenPlace query, TokenPlace key) {
  if (mask.documents && query.document != key.document) return false;
  const std::int64_t ahead = key.position - query.position;
  return key.position < mask.prefix || (-mask.left <= ahead && ahead <= mask.right);
}

enum class TileKind { empty, partial, full };

/// From bounds alone: empty and full are certain, partial is "not known to be either".
__device__ inline TileKind classify(const MaskReach& mask, const Bounds& queries,
                                    const Bounds& keys) {
  bool one_document = true;
  if (mask.documents) {
    if (keys.last_document < queries.first_document ||
        queries.last_document < keys.first_document) {
      return TileKind::empty;
    }
    one_document = queries.first_document == queries.last_document &&
                   keys.first_document == keys.last_document;
  }
  const bool too_far_back = keys.last < queries.first - mask.left;
  const bool too_far_ahead = keys.first > queries.last + mask.right;
  if (keys.first >= mask.prefix && (too_far_back || too_far_ahead)) return TileKind::empty;
  const bool all_seen = keys.last < mask.prefix || (queries.last - mask.left <= keys.first &&
                                                    keys.last <= queries.first + mask.right);
  return one_document && all_seen ? TileKind::full : TileKind::partial;
}

/// Query heads [first, end) of this slice that read kv head `kv_head` of it.
struct HeadSpan {
  int first, end;
};
__device__ inline HeadSpan heads_of(const AttendArguments& a, int kv_head) {
  const int first = (a.first_kv_head + kv_head) * a.group - a.first_head;
  const int end = first + a.group;
  return {first > 0 ? first : 0, end < a.heads ? end : a.heads};
}

__device__ inline int kv_head_of(const AttendArguments& a, int head) {
  return (a.first_head + head) / a.group - a.first_kv_head;
}

}  // namespace RINGLAB_CUDA_SIDE
}  // namespace ringlab::cuda
