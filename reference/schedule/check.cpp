#include "ringlab/reference/schedule/check.hpp"

#include <fmt/format.h>

#include "ringlab/reference/schedule/check_state.hpp"

namespace ringlab {
namespace detail {

Finding make_finding(Fault fault, int rank, int hop, const std::string& buffer,
                     const std::string& what) {
  std::string where = fmt::format("rank {}", rank);
  if (hop >= 0) where += fmt::format(", hop {}", hop);
  if (!buffer.empty()) where += fmt::format(", buffer '{}'", buffer);
  return {fault, rank, hop, buffer, fmt::format("{}: {}: {}", where, name(fault), what)};
}

}  // namespace detail

const char* name(Fault fault) {
  switch (fault) {
    case Fault::bad_reference:
      return "bad reference";
    case Fault::wrong_quantity:
      return "wrong quantity";
    case Fault::empty_buffer:
      return "empty buffer";
    case Fault::read_before_arrival:
      return "read before arrival";
    case Fault::overwritten_in_use:
      return "overwritten in use";
    case Fault::wrong_content:
      return "wrong content";
    case Fault::unmatched_send:
      return "unmatched send";
    case Fault::unmatched_receive:
      return "unmatched receive";
    case Fault::group_mismatch:
      return "group mismatch";
    case Fault::never_waited:
      return "never waited for";
    case Fault::deadlock:
      return "deadlock";
    case Fault::missed_tile:
      return "missed tile";
    case Fault::repeated_tile:
      return "repeated tile";
    case Fault::too_many_blocks:
      return "too many blocks";
    case Fault::not_home:
      return "not home";
  }
  return "?";
}

std::vector<Finding> check(const Schedule& schedule, const Mask& mask) {
  // What does not even refer to something, or has no partner, cannot be run.
  if (auto findings = detail::check_references(schedule); !findings.empty()) return findings;
  if (auto findings = detail::check_pairing(schedule); !findings.empty()) return findings;
  if (auto findings = detail::check_groups(schedule); !findings.empty()) return findings;

  constexpr std::size_t kEnough = 32;  // later findings are consequences of earlier ones
  detail::CheckState state(schedule, mask);
  detail::start_ranks(state);
  for (bool moved = true; moved && state.findings.size() < kEnough;) {
    moved = false;
    for (int r = 0; r < schedule.size(); ++r) moved = detail::advance(state, r) || moved;
    moved = detail::match_moves(state) || moved;
  }
  if (state.findings.size() < kEnough) detail::report_stuck(state);
  if (state.findings.empty()) detail::check_results(state);
  return std::move(state.findings);
}

}  // namespace ringlab
