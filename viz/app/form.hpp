// The controls of a scene as a form, made from the scenario's own table of fields, and back.
#pragma once

#include <vector>

#include "ringlab/viz/model/story.hpp"
#include "ringlab/viz/panels/scene_panel.hpp"

namespace ringlab::viz {

/// The field of the settings among the controls: no field of a scenario, so apply_change does not
/// know it.
inline constexpr const char* kPredictField = "predict";

std::vector<FormField> form_of(const Scenario& scenario, const StoryOptions& options,
                               const Texts& texts);

/// The fields of the story's clock by name, each with a sentence of help, for a command line.
struct StoryField {
  std::string name, help;
};
std::vector<StoryField> story_fields();

/// Throws InputError for a value that the field does not take.
void apply_change(const FormChange& change, Scenario& scenario, StoryOptions& options);

}  // namespace ringlab::viz
