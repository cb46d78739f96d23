// The parts that a story is put together from, in the order in which they are made. Only story.cpp,
// predict.cpp and the tests of these parts include this.
#pragma once

#include "ringlab/viz/model/story.hpp"

namespace ringlab::viz::detail {

/// Fills tiles (but not their times), flights (likewise) and links from steps and contents.
void list_work(Story& story);

/// Gives every step, tile and flight its time in the ideal clock, and sets the unit.
void run_ideal_clock(Story& story);

/// The same from a trace: each step at its event's time, kept in the order that the schedule
/// demands. The trace is stretched to the length of the ideal story, which has run before. Its
/// events are found by the labels of `work`, whose tiles and messages are the story's, place by
/// place. False, and nothing changed, if the trace lacks an event of the schedule.
bool run_trace_clock(Story& story, const Trace& trace, const Story& work);

/// Runs the simulator if its times are wanted, and takes them for the story's if they are its
/// clock. Throws InputError as check_simulated does.
void simulate_story(Story& story);

/// Copies, memory and running sums, once the times stand.
void follow_copies(Story& story);

/// The matrix's axes and cells; needs no times.
void cut_matrix(Story& story);

/// "@what.key_value|D": the content in words, once a language is known.
std::string what(const Schedule& schedule, const Content& content);

/// The break points of every rank.
void tell_breaks(Story& story);

/// Ranks that stand together: in nodes of the size given, as the cluster has it, or as the traffic
/// shows.
void group_ranks(Story& story);

/// Runs the session and its judge. Nothing, with a note, if that is too much work.
void run_numbers(Story& story);

}  // namespace ringlab::viz::detail
