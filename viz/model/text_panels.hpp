// The words of the panels, apart from those of the model.
#pragma once

#include <map>
#include <string>

namespace ringlab::viz {

/// Adds the English texts of the panels, all under "ui.".
void add_panel_texts(std::map<std::string, std::string, std::less<>>& table);

/// Adds the English texts of the quiz and of predictions, under "ui.quiz." and "predict.".
void add_quiz_texts(std::map<std::string, std::string, std::less<>>& table);

}  // namespace ringlab::viz
