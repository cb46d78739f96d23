// What a story's schedule costs on a described cluster.
//
// A picture of 128 tokens and a machine that only wakes up at many thousands go together, since a
// schedule has the same steps when all its lengths grow by one whole factor. So the times are those
// of the grown schedule, and each goes to the step of the same place in the one that is drawn.
#pragma once

#include "ringlab/sim/scenario/on_cluster.hpp"
#include "ringlab/viz/model/story.hpp"

namespace ringlab::viz {

struct Simulated {
  Scenario scenario;  // as it was simulated: grown, in the machine's element type
  Index factor = 1;   // so many times the tokens of the story
  SimOptions options;
  SimResult result;  // with its trace
};

/// The scenario with `factor` times the tokens: documents, new tokens and the window (the token
/// itself counts to its left part) grow with them, a single new token stays one. Throws InputError
/// (field `simulated_tokens`) for a layout file, which names its positions.
Scenario grown(Scenario scenario, Index factor);

/// Throws InputError (fields `cluster`, `hardware`, `ranks`, `simulated_tokens`) for what the
/// simulated clock cannot take: an unknown cluster, fewer GPUs than ranks, a length that is no
/// multiple of the tokens, or at which the schedule has other steps. Nothing if it is not wanted.
void check_simulated(const Scenario& scenario, const StoryOptions& options);

/// The same for what a person asks for: what can be brought within the limits is, before.
void check_machine(Scenario scenario, StoryOptions options);

/// Whether a story has simulated times: as its clock, or beside its measured or ideal ones.
bool wants_simulated(const StoryOptions& options);

/// How the simulated times came about: cluster, length, type, total. Its key is empty where the
/// story's clock is another one.
Sentence clock_words(const Story& story);

/// Names of clusters to choose from, for so many ranks: of the catalogue and composed ones.
std::vector<std::string> clusters_for(int ranks);

}  // namespace ringlab::viz
