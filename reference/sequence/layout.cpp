#include "ringlab/reference/sequence/layout.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <utility>

namespace ringlab {
namespace {

constexpr std::array<std::pair<LayoutKind, const char*>, 5> kNames = {{
    {LayoutKind::contiguous, "contiguous"},
    {LayoutKind::striped, "striped"},
    {LayoutKind::zigzag, "zigzag"},
    {LayoutKind::zigzag_per_document, "zigzag_per_document"},
    {LayoutKind::custom, "custom"},
}};

// Chunk c of `chunks` over `count` tokens starts here; sizes differ by at most one.
Index chunk_start(Index count, Index chunks, Index c) {
  return count * c / chunks;
}

Positions chunk(const Positions& tokens, Index chunks, Index c) {
  const Index begin = chunk_start(tokens.size(), chunks, c);
  return tokens.slice(begin, chunk_start(tokens.size(), chunks, c + 1) - begin);
}

Positions zigzag_shard(const Positions& tokens, int ranks, int rank) {
  return chunk(tokens, 2 * ranks, rank).joined(chunk(tokens, 2 * ranks, 2 * ranks - 1 - rank));
}

// Every ranks-th local index from `rank` on. Runs of stride 1 stay runs, of stride `ranks`.
Positions striped_shard(const Positions& tokens, int ranks, int rank) {
  std::vector<Run> out;
  Index start = 0;  // local index at which the run begins
  for (const Run& run : tokens.runs()) {
    const Index skip = ((rank - start) % ranks + ranks) % ranks;
    if (skip < run.count) {
      out.push_back(
          {run.at(skip), run.stride * ranks, (run.count - skip - 1) / ranks + 1, run.document});
    }
    start += run.count;
  }
  return Positions(out);
}

std::vector<Positions> documents_of(const Positions& sequence) {
  std::vector<Positions> out;
  Index start = 0;
  const auto& runs = sequence.runs();
  for (std::size_t r = 0; r < runs.size();) {
    Index count = 0;
    std::size_t end = r;
    while (end < runs.size() && runs[end].document == runs[r].document) count += runs[end++].count;
    out.push_back(sequence.slice(start, count));
    start += count;
    r = end;
  }
  return out;
}

}  // namespace

const char* name(LayoutKind kind) {
  for (const auto& [k, text] : kNames) {
    if (k == kind) return text;
  }
  return "?";
}

LayoutKind layout_kind_from(const std::string& text) {
  for (const auto& [kind, known] : kNames) {
    if (text == known) return kind;
  }
  throw InputError("layout", fmt::format("'{}'", text),
                   "use contiguous, striped, zigzag, zigzag_per_document or custom");
}

Positions whole_sequence(Index tokens, const std::vector<Index>& document_lengths) {
  if (tokens < 0) throw InputError("tokens", std::to_string(tokens), "give 0 or more");
  if (document_lengths.empty()) return Positions::contiguous(0, tokens);
  std::vector<Run> runs;
  Index first = 0;
  for (const Index length : document_lengths) {
    if (length < 1 || length > tokens - first) {
      throw InputError("documents", std::to_string(length),
                       fmt::format("give positive lengths that add up to {} tokens", tokens));
    }
    runs.push_back({first, 1, length, static_cast<std::int32_t>(runs.size())});
    first += length;
  }
  if (first != tokens) {
    throw InputError("documents", fmt::format("lengths that add up to {}", first),
                     fmt::format("make them add up to {} tokens", tokens));
  }
  return Positions(runs);
}

Layout make_layout(LayoutKind kind, const Positions& sequence, int ranks) {
  if (ranks < 1) throw InputError("ranks", std::to_string(ranks), "give 1 or more");
  Layout layout(static_cast<std::size_t>(ranks));
  for (int r = 0; r < ranks; ++r) {
    Positions& shard = layout[static_cast<std::size_t>(r)];
    switch (kind) {
      case LayoutKind::contiguous:
        shard = chunk(sequence, ranks, r);
        break;
      case LayoutKind::striped:
        shard = striped_shard(sequence, ranks, r);
        break;
      case LayoutKind::zigzag:
        shard = zigzag_shard(sequence, ranks, r);
        break;
      case LayoutKind::zigzag_per_document:
        for (const Positions& document : documents_of(sequence)) {
          shard = shard.joined(zigzag_shard(document, ranks, r));
        }
        break;
      case LayoutKind::custom:
        throw InputError("layout", "custom", "name the file that holds one owner for each token");
    }
  }
  return layout;
}

Layout custom_layout(const Positions& sequence, const std::vector<int>& owners, int ranks) {
  if (ranks < 1) throw InputError("ranks", std::to_string(ranks), "give 1 or more");
  if (static_cast<Index>(owners.size()) != sequence.size()) {
    throw InputError("layout file", fmt::format("{} owners", owners.size()),
                     fmt::format("give one owner for each of the {} tokens", sequence.size()));
  }
  std::vector<std::vector<Place>> places(static_cast<std::size_t>(ranks));
  const std::vector<Place> all = sequence.expand();
  for (std::size_t i = 0; i < owners.size(); ++i) {
    if (owners[i] < 0 || owners[i] >= ranks) {
      throw InputError("layout file", fmt::format("owner {} of token {}", owners[i], i),
                       fmt::format("use ranks 0 to {}", ranks - 1));
    }
    places[static_cast<std::size_t>(owners[i])].push_back(all[i]);
  }
  Layout layout;
  for (const auto& shard : places) layout.push_back(Positions::from_places(shard));
  return layout;
}

void check_partition(const Layout& layout, const Positions& sequence) {
  std::vector<Index> held;
  for (const Positions& shard : layout) {
    for (const Place& place : shard.expand()) held.push_back(place.position);
  }
  std::sort(held.begin(), held.end());
  if (const auto twice = std::adjacent_find(held.begin(), held.end()); twice != held.end()) {
    throw InputError("layout", fmt::format("token {} held twice", *twice),
                     "give each token to exactly one rank");
  }
  std::vector<Index> wanted;
  for (const Place& place : sequence.expand()) wanted.push_back(place.position);
  std::sort(wanted.begin(), wanted.end());
  if (held != wanted) {
    throw InputError("layout", fmt::format("{} tokens held", held.size()),
                     fmt::format("hold exactly the {} tokens of the sequence", wanted.size()));
  }
}

}  // namespace ringlab
