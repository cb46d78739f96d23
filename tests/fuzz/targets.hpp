// What each reader promises for any bytes at all: it takes them or throws InputError, and what it
// took survives writing and reading again. Anything else escapes and ends the fuzzer.
#pragma once

#include <string_view>

#include "ringlab/reference/io/npy.hpp"
#include "ringlab/reference/io/safetensors.hpp"
#include "ringlab/reference/scenario/layout_file.hpp"
#include "ringlab/reference/scenario/mask_text.hpp"
#include "ringlab/reference/scenario/scenario.hpp"

namespace ringlab::fuzz {

/// Returns whether the bytes were taken.
inline bool npy(std::string_view bytes) {
  Array array;
  try {
    array = parse_npy(bytes, "fuzz.npy");
  } catch (const InputError&) {
    return false;
  }
  RINGLAB_ENSURE(parse_npy(npy_bytes(array), "again.npy") == array, "written arrays read back");
  return true;
}

inline bool safetensors(std::string_view bytes) {
  SafeTensors content;
  try {
    content = parse_safetensors(bytes, "fuzz.safetensors");
  } catch (const InputError&) {
    return false;
  }
  RINGLAB_ENSURE(parse_safetensors(safetensors_bytes(content), "again") == content,
                 "written tensors read back");
  return true;
}

/// The same text as a layout file, for 24 tokens in documents of 5, 7 and 12, and three ranks.
inline bool layout(std::string_view bytes) {
  const Positions sequence = whole_sequence(24, {5, 7, 12});
  Layout parsed;
  try {
    parsed = parse_layout(std::string(bytes), "fuzz.json", sequence, 3);
  } catch (const InputError&) {
    return false;
  }
  check_partition(parsed, sequence);
  return true;
}

inline bool mask(std::string_view bytes) {
  Mask parsed;
  try {
    parsed = mask_from(std::string(bytes));
  } catch (const InputError&) {
    return false;
  }
  RINGLAB_ENSURE(to_text(mask_from(to_text(parsed))) == to_text(parsed), "masks print canonically");
  return true;
}

inline bool scenario(std::string_view bytes) {
  Scenario parsed;
  try {
    parsed = parse_scenario(std::string(bytes), "fuzz.json");
  } catch (const InputError&) {
    return false;
  }
  RINGLAB_ENSURE(parse_scenario(to_json(parsed), "again") == parsed, "written scenarios read back");
  return true;
}

}  // namespace ringlab::fuzz
