// Generators about positions: who holds a token, who sees whom, what a split breaks.
#include "ringlab/quiz/bank/generators/problem.hpp"
#include "ringlab/reference/sequence/shard.hpp"

namespace ringlab::quiz {
namespace {

// The rank that holds a position in the zigzag layout.
Values zigzag_owner(Random& random) {
  const int ranks = random.pick<int>({4, 8});
  const Index chunk = random.pick<Index>({8, 16, 32, 64});
  const Index tokens = 2 * ranks * chunk;
  const Index position = random.between(tokens / 2, tokens - 1);
  const Layout layout = make_layout(LayoutKind::zigzag, whole_sequence(tokens), ranks);
  int owner = -1;
  for (int rank = 0; rank < ranks; ++rank) {
    for (const Run& run : layout[static_cast<std::size_t>(rank)].runs()) {
      if (position >= run.first && position < run.first + run.count) owner = rank;
    }
  }
  RINGLAB_ENSURE(owner >= 0, "every position has an owner");
  const Index number = position / chunk;
  return {{"ranks", whole(ranks)},
          {"tokens", whole(tokens)},
          {"chunks", whole(2 * ranks)},
          {"chunk_tokens", whole(chunk)},
          {"chunk", whole(number)},
          {"mirror", whole(2 * ranks - 1)},
          {"position", whole(position)},
          {"answer", whole(owner)},
          {"contiguous", whole(position / (2 * chunk))},
          {"striped", whole(position % ranks)},
          {"chunk_mod_ranks", whole(number % ranks)}};
}

// The position of a token of a striped shard.
Values striped_position(Random& random) {
  const Index ranks = random.pick<Index>({4, 8, 16});
  const Index shard = random.pick<Index>({32, 64, 128});
  const Index rank = random.between(1, ranks - 1), local = random.between(1, shard - 1);
  const Layout layout =
      make_layout(LayoutKind::striped, whole_sequence(ranks * shard), static_cast<int>(ranks));
  return {{"ranks", whole(ranks)},
          {"tokens", whole(ranks * shard)},
          {"shard", whole(shard)},
          {"rank", whole(rank)},
          {"local", whole(local)},
          {"answer", whole(layout[static_cast<std::size_t>(rank)].at(local).position)},
          {"contiguous", whole(rank * shard + local)},
          {"local_index", whole(local)},
          {"turned", whole(rank * ranks + local)}};
}

// The position of a token in the second half of a zigzag shard.
Values zigzag_position(Random& random) {
  const Index ranks = random.pick<Index>({4, 8});
  const Index chunk = random.pick<Index>({16, 32, 64});
  const Index rank = random.between(0, ranks - 2), local = random.between(chunk, 2 * chunk - 1);
  const Layout layout =
      make_layout(LayoutKind::zigzag, whole_sequence(2 * ranks * chunk), static_cast<int>(ranks));
  return {{"ranks", whole(ranks)},
          {"tokens", whole(2 * ranks * chunk)},
          {"chunks", whole(2 * ranks)},
          {"chunk_tokens", whole(chunk)},
          {"rank", whole(rank)},
          {"second", whole(2 * ranks - 1 - rank)},
          {"within", whole(local - chunk)},
          {"local", whole(local)},
          {"answer", whole(layout[static_cast<std::size_t>(rank)].at(local).position)},
          {"contiguous", whole(2 * chunk * rank + local)},
          {"local_index", whole(local)},
          {"wraps", whole((ranks + rank) * chunk + local - chunk)}};
}

// True if zigzag gives every rank two equal chunks.
bool equal_chunks(Index tokens, int ranks) {
  const Layout layout = make_layout(LayoutKind::zigzag, whole_sequence(tokens), ranks);
  const std::vector<Run>& first = layout[0].runs();
  if (first.size() != 2 || first[0].count != first[1].count) return false;
  return std::all_of(layout.begin(), layout.end(),
                     [&](const Positions& shard) { return shard.size() == layout[0].size(); });
}

// Padding for kernels that want two equal chunks a rank.
Values zigzag_padding(Random& random) {
  const int ranks = random.pick<int>({4, 8, 16});
  const Index tokens = random.between(200, 4000);
  Index padding = 0;
  while (!equal_chunks(tokens + padding, ranks)) ++padding;
  const Index multiple = 2 * ranks;
  return {{"ranks", whole(ranks)},
          {"tokens", whole(tokens)},
          {"multiple", whole(multiple)},
          {"padded", whole(tokens + padding)},
          {"answer", whole(padding)},
          {"per_rank", whole((ranks - tokens % ranks) % ranks)},
          {"remainder", whole(tokens % multiple)},
          {"doubled", whole((2 * multiple - tokens % (2 * multiple)) % (2 * multiple))}};
}

// Targets that a shift after sharding gets wrong or loses.
Values zigzag_label_shift(Random& random) {
  const Index ranks = random.between(3, 16);
  const Index chunk = random.pick<Index>({4, 8, 16});
  const Positions sequence = whole_sequence(2 * ranks * chunk);
  const std::vector<Index> targets = next_positions(sequence);
  Index wrong = 0;
  for (const Positions& shard : make_layout(LayoutKind::zigzag, sequence, int(ranks))) {
    for (Index i = 0; i < shard.size(); ++i) {
      const Index local = i + 1 < shard.size() ? shard.at(i + 1).position : -1;
      wrong += local != targets[static_cast<std::size_t>(shard.at(i).position)];
    }
  }
  return {{"ranks", whole(ranks)},      {"tokens", whole(2 * ranks * chunk)},
          {"answer", whole(wrong)},     {"edges", whole(ranks - 1)},
          {"every_rank", whole(ranks)}, {"chunk_ends", whole(2 * ranks)}};
}

// Visible pairs of a causal mask.
Values visible_causal(Random& random) {
  const Index tokens = 2 * random.between(10, 200);
  const Positions all = whole_sequence(tokens);
  Mask causal;
  causal.causal = true;
  return {{"tokens", whole(tokens)},
          {"answer", whole(visible_pairs(causal, all, all))},
          {"without_self", whole(tokens * (tokens - 1) / 2)},
          {"half", whole(tokens * tokens / 2)},
          {"square", whole(tokens * tokens)}};
}

// Visible pairs of a causal window.
Values visible_window(Random& random) {
  const Index window = random.pick<Index>({4, 8, 16, 32});
  const Index tokens = window * random.between(3, 12);
  const Positions all = whole_sequence(tokens);
  Mask mask;
  mask.causal = true;
  const Index ignored = visible_pairs(mask, all, all);
  mask.window_left = window;
  const Index wide = visible_pairs(mask, all, all);
  mask.window_left = window - 1;
  const Index right = visible_pairs(mask, all, all);
  return {{"tokens", whole(tokens)},
          {"window", whole(window)},
          {"left", whole(window - 1)},
          {"missing", whole(tokens * window - right)},
          {"answer", whole(right)},
          {"one_wide", whole(wide)},
          {"no_edge", whole(tokens * window)},
          {"no_window", whole(ignored)}};
}

struct Documents {
  std::vector<Index> lengths;
  Index tokens = 0;
};

Documents pick_documents(Random& random, Index least, Index most) {
  Documents documents;
  for (int i = 0; i < 3; ++i) {
    documents.lengths.push_back(random.between(least, most));
    documents.tokens += documents.lengths.back();
  }
  return documents;
}

// Visible pairs of packed documents under a causal mask.
Values visible_documents(Random& random) {
  const Documents documents = pick_documents(random, 4, 40);
  const Positions all = whole_sequence(documents.tokens, documents.lengths);
  Mask mask;
  mask.causal = true;
  const Index ignored = visible_pairs(mask, all, all);
  mask.documents = true;
  Index squares = 0;
  for (const Index length : documents.lengths) squares += length * length;
  const Index right = visible_pairs(mask, all, all);
  return {{"a", whole(documents.lengths[0])}, {"b", whole(documents.lengths[1])},
          {"c", whole(documents.lengths[2])}, {"tokens", whole(documents.tokens)},
          {"answer", whole(right)},           {"ignored", whole(ignored)},
          {"squares", whole(squares)},        {"without_self", whole(right - documents.tokens)}};
}

// Rows of the output that move when one key of a packed row is changed.
Values changed_rows(Random& random) {
  const Documents documents = pick_documents(random, 6, 40);
  const Index start = documents.lengths[0];
  const Index key = start + random.between(1, documents.lengths[1] - 2);
  const Positions all = whole_sequence(documents.tokens, documents.lengths);
  Mask mask;
  mask.causal = true;
  mask.documents = true;
  Index rows = 0;
  for (Index row = 0; row < documents.tokens; ++row) {
    rows += mask.visible(all.at(row), all.at(key));
  }
  return {{"a", whole(documents.lengths[0])},
          {"b", whole(documents.lengths[1])},
          {"c", whole(documents.lengths[2])},
          {"last", whole(start + documents.lengths[1] - 1)},
          {"key", whole(key)},
          {"answer", whole(rows)},
          {"ignored", whole(documents.tokens - key)},
          {"turned", whole(key - start + 1)},
          {"whole_document", whole(documents.lengths[1])}};
}

// Tiles that a window leaves something of.
Values window_tiles(Random& random) {
  const Index tile = random.pick<Index>({16, 32, 64, 128}), tiles = random.between(6, 16);
  const Index wide = random.between(1, 4);
  Mask mask;
  mask.causal = true;
  mask.window_left = wide * tile - 1;
  Index kept = 0;
  for (Index row = 0; row < tiles; ++row) {
    for (Index column = 0; column < tiles; ++column) {
      kept += classify_tile(mask, Positions::contiguous(row * tile, tile),
                            Positions::contiguous(column * tile, tile)) != TileClass::empty;
    }
  }
  return {{"tile", whole(tile)},
          {"tiles", whole(tiles)},
          {"tokens", whole(tile * tiles)},
          {"window", whole(wide * tile)},
          {"left", whole(wide * tile - 1)},
          {"a_row", whole(wide + 1)},
          {"answer", whole(kept)},
          {"narrow", whole(tiles * wide)},
          {"no_edge", whole(tiles * (wide + 1))},
          {"no_window", whole(tiles * (tiles + 1) / 2)}};
}

// Work of the tile between one rank's queries and one block.
Values tile_flops(Random& random) {
  const Heads heads = pick_heads(random);
  const Index shard = random.pick<Index>({1024, 2048, 4096});
  const Index ranks = random.pick<Index>({4, 8});
  Scenario scenario = ring_of(ranks, shard, heads, LayoutKind::contiguous);
  scenario.mask = Mask{};
  const Index flops = rounded(rank_of(ledger_of(scenario), 0).tiles.at(0).flops);
  return {{"ranks", whole(ranks)},
          {"tokens", whole(ranks * shard)},
          {"shard", whole(shard)},
          {"heads", whole(heads.query)},
          {"kv_heads", whole(heads.kv)},
          {"head_dim", whole(heads.dim)},
          {"answer", ratio(flops, kGiga, 1)},
          {"one_product", ratio(flops, 2 * kGiga, 1)},
          {"kv_only", ratio(flops / heads.query * heads.kv, kGiga, 1)},
          {"all_keys", ratio(flops * ranks, kGiga, 1)}};
}

}  // namespace

std::vector<Generator> sequence_generators() {
  return {{"zigzag_owner", 1, zigzag_owner},
          {"striped_position", 1, striped_position},
          {"zigzag_position", 1, zigzag_position},
          {"zigzag_padding", 1, zigzag_padding},
          {"zigzag_label_shift", 1, zigzag_label_shift},
          {"visible_causal", 1, visible_causal},
          {"visible_window", 1, visible_window},
          {"visible_documents", 1, visible_documents},
          {"changed_rows", 1, changed_rows},
          {"window_tiles", 1, window_tiles},
          {"tile_flops", 1, tile_flops}};
}

}  // namespace ringlab::quiz
