// The English texts of the panels. The arguments stand beside each row.
#include "ringlab/viz/model/text_panels.hpp"

namespace ringlab::viz {

void add_panel_texts(std::map<std::string, std::string, std::less<>>& table) {
  table.insert({
      // Headlines.
      {"ui.pane.story", "Story"},
      {"ui.pane.scene", "Controls"},
      {"ui.pane.ring", "Ring"},
      {"ui.pane.matrix", "Attention matrix"},
      {"ui.pane.matrix.short", "Matrix"},
      {"ui.pane.timeline", "Timeline"},
      {"ui.pane.race", "Race"},
      {"ui.pane.softmax", "Softmax"},
      {"ui.pane.balance", "Balance"},
      {"ui.pane.proof", "Proof"},
      {"ui.matrix.caption", "queries ↓  keys →"},
      {"ui.matrix.by_rank", "queries ↓  keys →  rank by rank"},
      {"ui.matrix.head", "queries ↓  keys →  head {0}"},

      // Scene line. {0} ranks, {1} tokens, {2} query heads, {3} key/value heads, {4} head_dim.
      {"ui.summary", "{0} ranks · {1} tokens · {2} query / {3} key-value heads · head_dim {4}"},
      {"ui.scene.own", "Own scene"},
      {"ui.scene.on", "on"},
      {"ui.scene.off", "off"},
      {"ui.scene.problem", "Problem"},
      {"ui.scene.split", "Split"},
      {"ui.scene.rule", "Attention rule"},
      {"ui.scene.clock", "Clock and links"},

      // Ring. {0} hop, {1} last hop, or {0} first hop {1} last hop of the ranks {2} last of all.
      {"ui.ring.hop", "hop {0} of {1}"},
      {"ui.ring.hops", "hops {0}–{1} of {2}"},
      {"ui.ring.caption", "{0} travel"},
      {"ui.ring.nothing", "nothing travels"},
      {"travels.query", "queries"},
      {"travels.key_value", "keys and values"},
      {"travels.partial", "results"},
      {"travels.output_gradient", "output gradients"},
      {"travels.row_statistics", "row statistics"},
      {"travels.query_gradient", "query gradients"},
      {"travels.key_value_gradient", "their gradients"},
      {"ui.ring.done", "{0} of the pairs done"},
      {"ui.ring.hidden", "{0} of transfer hidden"},
      {"ui.ring.sent", "{0} sent"},
      {"ui.ring.exact", "max |Δ| {0}"},

      // Swatches.
      {"ui.legend.done", "done"},
      {"ui.legend.now", "now"},
      {"ui.legend.to_come", "to come"},
      {"ui.legend.masked", "masked"},
      {"ui.legend.hidden", "transfer, hidden"},
      {"ui.legend.exposed", "exposed"},
      {"ui.legend.idle", "waiting"},
      {"ui.legend.ghost", "other trace"},
      {"ui.timeline.other", "outlines: {0}"},

      // Transport.
      {"ui.transport.hop", "hop {0}"},
      {"ui.transport.run_through", "Run through without stopping at break points (R)"},
      {"ui.transport.jumps", "Jump from break point to break point, without motion (J)"},

      // Story.
      {"ui.story.told_from", "told from rank {0}"},
      {"ui.story.now", "{0}"},
      {"ui.story.try", "Then try"},

      // Softmax.
      {"ui.softmax.query", "query {0}"},
      {"ui.softmax.head", "head {0}"},
      {"ui.softmax.float32", "float32 state"},
      {"ui.softmax.bfloat16", "bfloat16 state"},
      {"ui.softmax.hop", "hop"},
      {"ui.softmax.block", "block"},
      {"ui.softmax.shrink", "shrink"},
      {"ui.softmax.before",
       "Nothing is folded in yet. Press Space: the first block is attended to, and the row gets "
       "its first maximum and sum."},
      {"ui.softmax.sees_nothing",
       "This query sees no key: its output is 0 and its LSE is minus infinity, never a NaN."},
      {"ui.softmax.out", "O now"},
      {"ui.softmax.right_out", "O in float64"},
      {"ui.softmax.right_lse", "LSE in float64"},
      {"ui.softmax.error", "|LSE − float64|"},

      // Balance, race, proof.
      {"ui.balance.memory", "Keys and values held"},
      {"ui.balance.work", "Work per rank and hop"},
      {"ui.race.first", "finished first"},
      {"ui.race.finished", "finished, place {0}"},
      {"ui.race.useful", "{0} of lock step useful"},
      {"ui.race.time", "ideal time {0} · {1} sent"},
      {"ui.proof.exact", "Exact: within what rounding explains"},
      {"ui.proof.differs", "Differs by more than rounding explains"},
      {"ui.proof.how",
       "The distributed result against full attention in float64. Bar: relative difference; line: "
       "the bound of rounding."},
      {"ui.proof.largest", "max |Δ| {0}"},

      // Top bar.
      {"ui.top.copy", "Copy scene"},
      {"ui.top.paste", "Paste scene"},
      {"ui.top.theme", "Dark, light, high contrast (T)"},
      {"ui.scenes.title", "Scenes"},

      // What was done, for a moment at the lower edge.
      {"ui.toast.copied", "The scene is on the clipboard as JSON."},
      {"ui.toast.pasted", "Pasted."},
      {"ui.toast.pasted_with_notes", "Pasted, with {0} changes: see the story pane."},
      {"ui.toast.refused", "{0}"},

      // Keys, for the help and the buttons' tooltips.
      {"ui.key.play", "Play to the next break point; pause"},
      {"ui.key.forward", "Step to the next break point"},
      {"ui.key.back", "Step back to the one before"},
      {"ui.key.home", "To the start"},
      {"ui.key.end", "To the end"},
      {"ui.key.step", "Step to the next or previous break point"},
      {"ui.key.ends", "To the start, to the end"},
      {"ui.key.next_hop", "Next hop, previous hop"},
      {"ui.key.rank", "Tell it from the next or previous rank"},
      {"ui.key.speed", "Slower, faster"},
      {"ui.key.run", "Run through, or stop at break points"},
      {"ui.key.jumps", "Jumps instead of motion"},
      {"ui.key.zoom", "Timeline: zoom in, zoom out"},
      {"ui.key.pan", "Timeline: earlier, later"},
      {"ui.key.fit", "Timeline and matrix: all of it"},
      {"ui.key.other", "Timeline: lay measured or simulated times over it"},
      {"ui.key.row", "Inspector: next or previous query, head"},
      {"ui.key.precision", "Inspector: float32 or bfloat16 state"},
      {"ui.key.tabs", "Softmax, balance, proof"},
      {"ui.key.race", "Timeline or race"},
      {"ui.key.left", "Lesson, quiz, controls, or back to the story"},
      {"ui.key.scenes", "List of scenes, next scene"},
      {"ui.key.theme", "Dark, light, high contrast"},
      {"ui.key.scale", "Larger, smaller, normal text"},
      {"ui.key.copy", "Copy scene, paste scene"},
      {"ui.key.help", "This help (?)"},
      {"ui.key.close", "Close what lies on top"},
      {"ui.key.mouse",
       "Wheel zooms, drag pans; a click picks rank and query, on the timeline a time"},
      {"ui.key.mouse.name", "Mouse"},

      // The legend.
      {"ui.help.title", "Keys, colours and symbols"},
      {"ui.help.keys", "Keys"},
      {"ui.help.colours", "Colours and symbols"},
      {"ui.help.block",
       "A block of keys and values. Colour and letter say which rank it comes from."},
      {"ui.help.pattern", "From the ninth rank on a pattern tells blocks of one colour apart."},
      {"ui.help.query",
       "An outline: queries or results, which stay unless the schedule moves them."},
      {"ui.help.active", "The block that is being attended to."},
      {"ui.help.box", "A rank. The white edge is its work in progress."},
      {"ui.help.focus", "The rank from which the story is told."},
      {"ui.help.waiting", "This rank waits for a transfer."},
      {"ui.help.finished", "This rank has finished."},
      {"ui.help.link", "A link that carries something; idle links are grey."},
      {"ui.help.dot", "In a crowd: messages between other ranks than the one told from."},
      {"ui.help.node", "Ranks of one node."},
      {"ui.help.slow",
       "A slow link, with its speed; ×2 behind a rank: it is so many times slower."},
      {"ui.help.done", "Matrix and timeline: done."},
      {"ui.help.now",
       "Being computed now. In the matrix in the colour of the rank, in time in that of the "
       "block."},
      {"ui.help.to_come", "Still to come."},
      {"ui.help.masked", "Pairs that the mask hides: no work."},
      {"ui.help.picked", "The query of the inspector."},
      {"ui.help.hidden", "A transfer behind work: it costs no time."},
      {"ui.help.exposed", "A transfer that a rank waits for."},
      {"ui.help.idle", "A rank that waits."},
      {"ui.help.ghost", "Outlines: another clock's times over the story's own (O)."},
      {"ui.help.cursor", "The moment that everything shows."},
      {"ui.help.break", "Break points: passed, and ahead. Motion stops at each."},
      {"ui.help.outline",
       "Balance: the frame is what one rank would hold alone, the line its own peak."},
  });
}

}  // namespace ringlab::viz
