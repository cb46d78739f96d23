// How v3_fast cuts a call into sub-tiles, and what it knows of each before any arithmetic.
//
// Queries go in blocks of kQueryBlock, keys in blocks of kKeyBlock made of panels. Every block and
// panel carries the bounds of its positions and documents, so a sub-tile is empty, partial or full
// after four comparisons. Bounds may call an empty tile partial (never the reverse): it is masked
// then, and still right.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <new>
#include <vector>

#include "ringlab/reference/sequence/visible.hpp"

namespace ringlab {

/// Rows of a register block; kQueryBand, kQueryBlock and kKeyBlock are multiples.
constexpr Index kRowBlock = 6;
/// Queries that are masked together where a sub-tile is partial: with short documents or windows
/// most of a larger block's pairs would be hidden ones.
constexpr Index kQueryBand = 24;
/// At float and head_dim 128 the score tile (72 KiB), its two operands and the sums stay in a 1 MiB
/// second-level cache.
constexpr Index kQueryBlock = 96;
/// A multiple of every panel width (2 to 64 keys).
constexpr Index kKeyBlock = 192;

constexpr Index round_up(Index n, Index multiple) {
  return (n + multiple - 1) / multiple * multiple;
}

/// Uninitialised storage on cache line boundaries.
template <class T>
class Workspace {
 public:
  explicit Workspace(Index size)
      : data_(static_cast<T*>(::operator new(static_cast<std::size_t>(size) * sizeof(T), kLine))) {}
  T* data() { return data_.get(); }
  const T* data() const { return data_.get(); }
  T& operator[](Index i) { return data_.get()[i]; }
  const T& operator[](Index i) const { return data_.get()[i]; }

 private:
  static constexpr std::align_val_t kLine{64};
  struct Free {
    void operator()(T* data) const { ::operator delete(data, kLine); }
  };
  std::unique_ptr<T, Free> data_;
};

/// The smallest and largest position and document of some tokens, ends included.
struct Bounds {
  Index first, last;
  std::int32_t first_document, last_document;
};

/// Bounds of both.
Bounds joined(const Bounds& a, const Bounds& b);

/// From bounds alone: empty and full are certain, partial is "not known to be either".
TileClass classify_bounds(const Mask& mask, const Bounds& queries, const Bounds& keys);

/// The panels of one key block that a query block may see: [first, end), empty ones cut off both
/// ends.
struct PanelSpan {
  Index first = 0, end = 0;
  bool any_partial = false;
  std::array<bool, kKeyBlock / 2> partial{};  // of panel first + i
};

/// Panels `first_panel` up to the end of its key block or of the keys. A last panel that is padded
/// counts as partial.
PanelSpan panels_seen(const Mask& mask, const Bounds& queries, const std::vector<Bounds>& panels,
                      Index first_panel, Index panel_width, Index keys);

/// Places as lanes compare them: positions relative to an origin, in integers as wide as the
/// scores.
template <class Int>
struct PlaceLanes {
  std::vector<Int> positions, documents;
  std::vector<Bounds> blocks;  // of each band of queries, each panel of keys
};

/// Everything about the places of one call. Padding keys lie beyond what any query can see.
template <class Int>
struct TileMap {
  /// Relative positions and reaches stay below this, so that their sums do not overflow.
  static constexpr Index kLimit = Index{1} << (8 * sizeof(Int) - 2);

  Index origin = 0;
  bool fits = true;  // false: positions lie further apart than Int can say
  PlaceLanes<Int> queries, keys;
  Int left = 0, right = 0, prefix = 0;
  bool documents = false;

  TileMap(const Mask& mask, const Positions& query_positions, const Positions& key_positions,
          Index panel_width);
};

/// Calls pass.load(first, rows), pass.visit(row, rows, span) for each piece in which something may
/// be visible, and pass.store(first, rows), for each query block that sees anything. `row` counts
/// from `first`. A full sub-tile is one piece; others are cut into bands, each with its own span of
/// keys.
template <class Int, class Pass>
void for_each_piece(const Mask& mask, const TileMap<Int>& map, Index tokens, Index keys,
                    Index panel_width, Pass& pass) {
  const auto band = [&](Index query) -> const Bounds& {
    return map.queries.blocks[static_cast<std::size_t>(query / kQueryBand)];
  };
  const auto& panels = map.keys.blocks;
  for (Index first = 0; first < tokens; first += kQueryBlock) {
    const Index rows = std::min(kQueryBlock, tokens - first);
    Bounds bounds = band(first);
    for (Index row = kQueryBand; row < rows; row += kQueryBand) {
      bounds = joined(bounds, band(first + row));
    }
    bool loaded = false;
    for (Index key = 0; key < keys; key += kKeyBlock) {
      const Index panel = key / panel_width;
      const PanelSpan whole = panels_seen(mask, bounds, panels, panel, panel_width, keys);
      if (whole.first == whole.end) continue;
      if (!loaded) pass.load(first, rows);
      loaded = true;
      if (!whole.any_partial) {
        pass.visit(Index{0}, rows, whole);
        continue;
      }
      for (Index row = 0; row < rows; row += kQueryBand) {
        const PanelSpan span =
            panels_seen(mask, band(first + row), panels, panel, panel_width, keys);
        if (span.first < span.end) pass.visit(row, std::min(kQueryBand, rows - row), span);
      }
    }
    if (loaded) pass.store(first, rows);
  }
}

}  // namespace ringlab
