// What a person learns who points at something: its facts, and its formula with the numbers.
#pragma once

#include "ringlab/viz/model/frame.hpp"

namespace ringlab::viz {

struct Fact {
  std::string name, value;
};

struct Facts {
  std::string title;
  std::vector<Fact> facts;
  std::vector<std::string> formula;  // lines
  int colour = -1;
};

Facts facts_of_tile(const Story& story, const Texts& texts, int tile, double time);
/// A cell for one head, with the tile that fills it.
Facts facts_of_cell(const Story& story, const Texts& texts, int cell, int head, double time);
Facts facts_of_copy(const Story& story, const Texts& texts, int copy, double time);
Facts facts_of_flight(const Story& story, const Texts& texts, int flight, double time);
Facts facts_of_rank(const Story& story, const Texts& texts, const Frame& frame, int rank);
/// One score of two places on the axes: s = scale * (q . k), with both vectors' first components.
Facts facts_of_score(const Story& story, const Texts& texts, int head, Index query, Index key);

}  // namespace ringlab::viz
