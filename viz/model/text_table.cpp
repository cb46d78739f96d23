// The English texts, one row a key. The arguments of each family stand above its rows.
#include "ringlab/viz/model/text.hpp"
#include "ringlab/viz/model/text_lesson.hpp"
#include "ringlab/viz/model/text_panels.hpp"

namespace ringlab::viz {

const Texts& Texts::english() {
  static const Texts texts = [] {
    Texts t;
    t.table_ = {
        // Contents. {0} letters of the shards.
        {"what.query", "queries {0}"},
        {"what.key_value", "block {0}"},
        {"what.partial", "the partial result of {0}"},
        {"what.output_gradient", "output gradient {0}"},
        {"what.row_statistics", "row statistics {0}"},
        {"what.query_gradient", "query gradient {0}"},
        {"what.key_value_gradient", "the gradient of block {0}"},
        {"what.part.query", "a part of queries {0}"},
        {"what.part.key_value", "a part of block {0}"},
        {"what.part.partial", "a part of the partial result of {0}"},
        {"what.part.output_gradient", "a part of output gradient {0}"},
        {"what.part.row_statistics", "a part of row statistics {0}"},
        {"what.part.query_gradient", "a part of query gradient {0}"},
        {"what.part.key_value_gradient", "a part of the gradient of block {0}"},

        // Break points. {0} rank.
        // start: {0} ranks, {1} tokens, {2} rank, {3} letter, {4} queries, {5} keys.
        {"break.start",
         "{0} ranks share a sequence of {1} tokens. Rank {2} starts with its own {4} queries and "
         "with block {3}: the keys and values of {5} tokens."},
        // send.one: {1} what, {2} to, {3} bytes. send.many: {1} messages, {2} bytes.
        {"break.send.one.and_computes",
         "Rank {0} begins to send {1} to rank {2} ({3}). It does not wait: it computes while the "
         "message travels, so that the transfer hides behind the work."},
        {"break.send.one.and_waits",
         "Rank {0} sends {1} to rank {2} ({3}). It has nothing to compute before that is over, so "
         "this transfer cannot hide."},
        {"break.send.many.and_computes",
         "Rank {0} begins to send {1} messages, {2} in all, and computes while they travel."},
        {"break.send.many.and_waits",
         "Rank {0} sends {1} messages, {2} in all, and has nothing to compute before that is "
         "over."},
        // arrive: as send, with {2} from.
        {"break.arrive.one.hidden",
         "Now {1} from rank {2} is here at rank {0} ({3}). It came while the rank was computing, "
         "so it costs no time."},
        {"break.arrive.one.exposed",
         "Now {1} from rank {2} is here at rank {0} ({3}). The rank stood waiting for it: this "
         "part of the transfer is exposed."},
        {"break.arrive.many.hidden",
         "All {1} messages for rank {0} have arrived, {2}. They came while the rank was "
         "computing, so they cost no time."},
        {"break.arrive.many.exposed",
         "All {1} messages for rank {0} have arrived, {2}. The rank stood waiting for the last "
         "of them."},
        // attend: {1} what, {2} queries, {3} visible pairs, {4} all pairs, {5} heads.
        {"break.attend.full",
         "Rank {0} has folded {1} into the result of {2}: all {4} pairs of query and key are "
         "visible, for each of {5} heads."},
        {"break.attend.partial",
         "Rank {0} has folded {1} into the result of {2}: {3} of {4} pairs of query and key are "
         "visible, for each of {5} heads. The mask hides the others."},
        {"break.attend.empty",
         "Rank {0} passes over {1}: of its {4} pairs with {2} the mask lets {3} through, so there "
         "is nothing to compute."},
        {"break.attend_backward.full",
         "Rank {0} has added the gradients between {2} and {1}: all {4} pairs are visible, for "
         "each of {5} heads."},
        {"break.attend_backward.partial",
         "Rank {0} has added the gradients between {2} and {1}: {3} of {4} pairs are visible, for "
         "each of {5} heads."},
        {"break.attend_backward.empty",
         "Rank {0} passes over {1}: of its {4} pairs with {2} the mask lets {3} through, so no "
         "gradient comes of it."},
        {"break.merge",
         "Rank {0} merges two partial results of the same queries. Each is an output and its "
         "log-sum-exp; the larger log-sum-exp weighs more, and nothing is computed again."},
        {"break.accumulate",
         "Rank {0} adds two parts of a gradient: the one that travels with its block, and what "
         "this rank has just found."},
        // home: {1} pairs x heads of the rank, {2} bytes, {3} pairs x heads of all ranks.
        {"break.home",
         "Every query has met every key that it may see. Rank {0} computed {1} of {3} visible "
         "pairs, counted for each head, and sent {2}."},
        {"break.home.backward",
         "Every gradient is at home. Rank {0} went over {1} of {3} visible pairs, counted for "
         "each head, and sent {2}."},
        {"break.more", "{0} more things happen at this moment."},
        {"kind.in_hop", "hop {0}: {1}"},
        {"kind.start", "start"},
        {"kind.send", "send"},
        {"kind.arrive", "arrive"},
        {"kind.attend", "attend"},
        {"kind.merge", "merge"},
        {"kind.home", "home"},

        // What was changed. {0} field, {1} from, {2} to.
        {"note.clamped", "{0} was {1}; the picture goes up to {2}."},
        {"note.raised", "{0} was {1}; it is {2} at least."},
        {"note.replaced", "{0} was {1}; {2} was taken instead."},
        {"note.given_up", "{0} ({1}) does not go with the rest and was reset: {2}."},
        {"note.default_scenario", "The scenario could not be put right; the default is shown."},
        {"note.unknown", "{0} is not a known field and was passed over."},
        {"note.no_files", "{0} names a file; pasted scenarios read no files."},
        // {0} GFLOP wanted, {1} GFLOP allowed.
        {"note.too_much_work",
         "No real numbers: they would take {0} GFLOP, and {1} is the limit. Everything else is "
         "exact."},
        {"note.not_in_clock",
         "{0} acts in the ideal and the simulated clock; in this one, {1}, times are as they "
         "were."},
        {"note.takes_no_time",
         "On a cluster this schedule takes no time at all, so the ideal clock is shown."},
        {"note.takes_too_long", "There are no simulated times: {0}."},
        {"note.no_trace", "There is no {0} trace, so the ideal clock is shown."},
        {"note.trace_does_not_fit",
         "The {0} trace lacks steps of this schedule, so the ideal clock is shown."},
        // Presets: title, and what to look at.
        {"preset.plain.title", "Plain ring"},
        {"preset.plain.words",
         "Every rank keeps its queries and passes keys and values on to its neighbour. Follow one "
         "letter all the way round: after as many hops as there are ranks, every query has met "
         "every key. While a block travels, its rank already computes with it."},
        {"preset.causal-contiguous.title", "Causal, contiguous slices"},
        {"preset.causal-contiguous.words",
         "A token sees only what came before it. Rank 0 holds the beginning and soon has nothing "
         "to do; the last rank sees every block. Look at the empty corner of the matrix and at "
         "the idle stretches of the timeline: everybody waits for the busiest."},
        {"preset.causal-striped.title", "Causal, striped"},
        {"preset.causal-striped.words",
         "Tokens are dealt out like cards: rank r holds tokens r, r + 8, r + 16 and so on. Every "
         "tile is about half visible, so all ranks have nearly the same to do in each hop. "
         "Compare the work bars with those of contiguous slices."},
        {"preset.causal-zigzag.title", "Causal, zigzag"},
        {"preset.causal-zigzag.words",
         "The sequence is cut into 16 chunks, and each rank holds one early and one late chunk. "
         "Of the four chunk tiles of a hop two are visible, whoever computes, so nobody waits. "
         "In the matrix, see where a rank's two rows of tiles lie."},
        {"preset.slow-link.title", "One slow link"},
        {"preset.slow-link.words",
         "The link from rank 2 to rank 3 takes three times as long; it is drawn thin. Follow how "
         "the delay travels round the ring with the blocks, until every rank waits for the one "
         "slow link in every hop."},
        {"preset.straggler.title", "A straggler"},
        {"preset.straggler.words",
         "Rank 5 computes at half speed. Its own row of the timeline has no gaps, and all the "
         "others wait for the blocks that it passes on late: a ring goes at the pace of its "
         "slowest member."},
        {"preset.grouped-heads.title", "Grouped heads"},
        {"preset.grouped-heads.words",
         "8 query heads share 2 key/value heads, so a block is a quarter of the size while the "
         "work stays the same. The transfers are short and easily hidden; with 8 key/value heads "
         "they would take longer than the tiles. Raise the link ratio to 1.2 to see it."},
        {"preset.documents.title", "Packed documents"},
        {"preset.documents.words",
         "Three documents lie in one sequence, and a token sees its own only. The mask is three "
         "triangles. Each document is dealt out in zigzag by itself, so each of them is balanced "
         "over the ranks."},
        {"preset.window.title", "Sliding window"},
        {"preset.window.words",
         "A token sees itself and the 31 before it. Only a band of the matrix is left: most blocks "
         "travel round the ring for nothing, since the ranks that hold them pass over them. Count "
         "the empty tiles."},
        {"preset.bidirectional.title", "Both ways round"},
        {"preset.bidirectional.words",
         "Half of every block goes clockwise, the other half the other way. Both directions of "
         "each link carry something at the same time, so each message is half as large."},
        {"preset.ulysses.title", "All-to-all (Ulysses)"},
        {"preset.ulysses.words",
         "Instead of going round, everything is exchanged at once: before, a rank holds all heads "
         "of some tokens; after, some heads of all tokens. It then computes its heads alone, and "
         "a second all-to-all brings the result home. Change the head to see another rank fill "
         "the matrix."},
        {"preset.all-gather.title", "All-gather"},
        {"preset.all-gather.words",
         "Every rank first gathers all keys and values and then computes alone. Simple, but "
         "nothing hides the transfer, and every rank holds the whole sequence: look at the memory "
         "bars."},
        {"preset.double-ring.title", "A ring of rings"},
        {"preset.double-ring.words",
         "Two nodes of four ranks. Blocks go round inside a node over fast links; meanwhile each "
         "rank's block for the next turn crosses to the other node behind a whole inner turn. See "
         "how long the crossing message may take without being waited for."},
        {"preset.two-nodes.title", "Two nodes, simulated"},
        {"preset.two-nodes.words",
         "Eight H100s in two nodes, with the times of that machine for 131 072 tokens. Inside a "
         "node a block is there long before its tile is done; over the network between the nodes "
         "it takes longer than a tile, and in every hop the ring waits for those two links. Double "
         "simulated_tokens: a tile takes four times as long, a message twice, and all of it "
         "hides."},
        {"preset.query-ring.title", "Queries travel"},
        {"preset.query-ring.words",
         "A long context is cached and few tokens are new, so queries are lighter than keys and "
         "values: they travel instead. Each rank computes a partial result for every guest, and "
         "at the end the partial results go home and are merged."},
        {"preset.decode.title", "Decoding"},
        {"preset.decode.words",
         "One new token attends to a cache that lies on 8 ranks. Its query goes down a tree, each "
         "rank computes with its own keys, and the partial results are merged on the way up: "
         "three rounds instead of seven hops."},
        {"preset.backward.title", "Backward"},
        {"preset.backward.words",
         "The gradients of keys and values travel with their block, one hop behind it, and grow "
         "at every rank. After a full turn they are at home. Each hop therefore sends twice as "
         "much, and more."},
        {"preset.many-ranks.title", "64 ranks"},
        {"preset.many-ranks.words",
         "The same zigzag ring with 64 ranks and 1024 tokens. Nothing changes for a rank: it "
         "holds as many blocks as before, and only the number of hops grows."},

        // Timeline: the story's own clock, and what is drawn over it as outlines. {0} how long the
        // story takes on its clock, {1} how long the other one does, {2} whether that is stretched.
        {"timeline.legend.ideal", "Ideal clock: one unit is the largest tile."},
        {"timeline.legend.ideal.over_measured",
         "Filled: ideal clock. Outlines: measured on this machine, {1}{2}."},
        {"timeline.legend.ideal.over_simulated",
         "Filled: ideal clock. Outlines: simulated, {1}{2}."},
        {"timeline.legend.ideal.over_given", "Filled: ideal clock. Outlines: the trace, {1}{2}."},
        {"timeline.legend.measured", "Measured on this machine: {0}."},
        {"timeline.legend.measured.over_simulated",
         "Filled: measured on this machine, {0}. Outlines: simulated, {1}{2}."},
        {"timeline.legend.measured.over_given",
         "Filled: measured on this machine, {0}. Outlines: the trace, {1}{2}."},
        {"timeline.legend.simulated", "Simulated: {0}."},
        {"timeline.legend.simulated.over_measured",
         "Filled: simulated, {0}. Outlines: measured on this machine, {1}{2}."},
        {"timeline.legend.simulated.over_given",
         "Filled: simulated, {0}. Outlines: the trace, {1}{2}."},
        {"timeline.legend.imported", "From the trace file: {0}."},
        {"timeline.legend.imported.over_measured",
         "Filled: from the trace file, {0}. Outlines: measured on this machine, {1}{2}."},
        {"timeline.stretched", ", stretched to one length"},
        {"timeline.other.measured", "measured"},
        {"timeline.other.simulated", "simulated"},
        {"timeline.other.given", "trace file"},

        // The simulated clock. {0} cluster, {1} tokens, {2} type, {3} total, {4} factor.
        {"clock.simulated", "Times are simulated on {0}, in {2}: {3} in all."},
        {"clock.simulated.grown",
         "Times are simulated on {0} for {1} tokens, {4} times those drawn, in {2}: {3} in all. "
         "Pairs and bytes in the text are those drawn."},

        // Memory. {0} most on a rank, {1} of everything.
        {"memory.key_value",
         "Keys and values: at most {0} on a rank, {1} if it gathered everything."},
        {"memory.all", "All buffers: at most {0} on a rank, {1} for one that does it all."},
        {"memory.scores", "The scores of all heads, which nobody ever keeps, would take {0}."},
        // Work. {0} of the busiest rank, {1} of all; {0} percent.
        {"work.busiest", "The busiest rank computes {0} of {1} visible pairs."},
        {"work.lock_step", "In lock step {0} % of the time is work, the rest is waiting."},
        // Race. {0} layout, {1} end, {2} percent of lock step, {3} percent done.
        {"race.running", "{0}: {3} % done; {2} % of lock step is work."},
        {"race.finished", "{0}: finished after {1}; {2} % of lock step is work."},

        // Proof. {0} quantity, {1} difference, {2} position, {3} head, {4} component, {5} rank,
        // {6} found, {7} right.
        {"proof.line",
         "{0}: largest difference {1}, at query {2}, head {3}, component {4} of rank {5}: {6} "
         "instead of {7}."},
        {"proof.nothing", "{0}: nothing to compare."},
        // {1} largest, {2} relative difference.
        {"proof.gradient", "{0}: largest difference {1}, relative {2}."},
        {"proof.good", "The distributed result is exact up to rounding."},
        {"proof.bad", "The distributed result differs by more than rounding explains."},

        // Facts about what is pointed at.
        {"fact.rank", "rank"},
        {"fact.hop", "hop"},
        {"fact.state", "state"},
        {"fact.queries", "queries"},
        {"fact.keys", "keys"},
        {"fact.pairs", "visible pairs"},
        {"fact.heads", "heads"},
        {"fact.head", "head"},
        {"fact.time", "takes"},
        {"fact.real_bytes", "on the cluster"},
        {"fact.real_flops", "on the cluster"},
        {"fact.link", "link"},
        // {0} bytes a second, {1} latency, {2} network.
        {"fact.speed", "{2}: {0}/s + {1}"},
        {"fact.tile", "tile"},
        {"fact.where", "where"},
        {"fact.buffer", "buffer"},
        {"fact.what", "what"},
        {"fact.tokens", "tokens"},
        {"fact.bytes", "size"},
        {"fact.born", "since"},
        {"fact.hidden", "hidden"},
        {"fact.doing", "does"},
        {"fact.work", "pairs done"},
        {"fact.sent", "sent"},
        {"fact.memory", "holds, at most"},
        {"fact.visible", "visible"},
        {"fact.score", "score"},
        {"fact.weight", "weight"},
        {"state.to_come", "to come"},
        {"state.now", "now"},
        {"state.done", "done"},
        {"doing.idle", "nothing yet"},
        {"doing.computing", "computes"},
        {"doing.waiting", "waits"},
        {"doing.finished", "is finished"},
        {"place.rank", "rank {0}"},
        {"place.node", "node {0}"},
        {"place.link", "from rank {0} to rank {1}"},
        {"word.yes", "yes"},
        {"word.no", "no"},
        {"quantity.query", "queries"},
        {"quantity.key_value", "keys and values"},
        {"quantity.partial", "partial result: O and lse"},
        {"quantity.output_gradient", "gradient of the output"},
        {"quantity.row_statistics", "lse and delta of the rows"},
        {"quantity.query_gradient", "gradient of the queries"},
        {"quantity.key_value_gradient", "gradient of keys and values"},

        {"note.no_numbers", "There are no real numbers for this scenario."},
    };
    add_panel_texts(t.table_);
    add_quiz_texts(t.table_);
    add_lesson_texts(t.table_);
    return t;
  }();
  return texts;
}

}  // namespace ringlab::viz
