// What `ringlab plan` says: plans and answers as text and as JSON.
#pragma once

#include <string>

#include "ringlab/sim/plan/answer.hpp"
#include "ringlab/sim/plan/search.hpp"

namespace ringlab::cli {

/// The request in one line: "llama3-70b, 1048576 tokens, batch 1, prefill, on 8xh100 (8 GPUs)".
std::string request_text(const PlanRequest& request);

std::string plan_text(const PlanRequest& request, const PlanResult& result);
std::string plan_json(const PlanRequest& request, const PlanResult& result);

/// Nothing fits: which part does not, and the smallest cluster that would do (0 GPUs: none).
std::string misfit_text(const PlanRequest& request, const Candidate& smallest, int gpus);
std::string misfit_json(const PlanRequest& request, const Candidate& smallest, int gpus);

std::string answer_text(const Answer& answer);
std::string answer_json(const std::string& question, const Answer& answer);

}  // namespace ringlab::cli
