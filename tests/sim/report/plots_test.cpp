// Plots: stored small ones, and two laws for all of them: no two texts overlap, and nothing leaves
// the picture. To accept a change, look at it first: RINGLAB_ACCEPT=1 sim_report_test
#include <fmt/format.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <random>
#include <regex>

#include "ringlab/reference/core/error.hpp"
#include "ringlab/reference/core/file.hpp"
#include "ringlab/sim/report/curves.hpp"
#include "ringlab/sim/report/memory_bars.hpp"
#include "ringlab/sim/report/timeline.hpp"
#include "tests/catch.hpp"

namespace {

using namespace ringlab;

void approve(const std::string& name, const std::string& svg) {
  const std::string file = std::string(RINGLAB_APPROVED) + "/" + name + ".svg";
  if (std::getenv("RINGLAB_ACCEPT")) {
    std::filesystem::create_directories(RINGLAB_APPROVED);
    write_file(file, svg);
  }
  CHECK(svg == read_file(file, "approved plot", 1 << 22));
}

struct TextBox {
  std::string text;
  double left, top, right, bottom;
};

double attribute(const std::string& element, const std::string& name) {
  std::smatch match;
  REQUIRE(std::regex_search(element, match, std::regex(" " + name + "=\"([-0-9.]+)\"")));
  return std::stod(match[1]);
}

// Widths as of Liberation Sans, whose advance is at most 0.6 em on average for such texts; the
// writer's own guess is not used here.
std::vector<TextBox> texts_of(const std::string& svg) {
  static const std::regex element("<text ([^>]*)>([^<]*)</text>");
  std::vector<TextBox> out;
  for (std::sregex_iterator i(svg.begin(), svg.end(), element), end; i != end; ++i) {
    const std::string attributes = " " + (*i)[1].str(), text = (*i)[2];
    int characters = 0;
    for (const char c : text) characters += (static_cast<unsigned char>(c) & 0xC0) != 0x80;
    const double size = attribute(attributes, "font-size"), x = attribute(attributes, "x");
    const double width = 0.52 * size * characters, y = attribute(attributes, "y");
    const double shift = attributes.find("\"middle\"") != std::string::npos ? width / 2
                         : attributes.find("\"end\"") != std::string::npos  ? width
                                                                            : 0;
    out.push_back({text, x - shift, y - 0.75 * size, x - shift + width, y + 0.2 * size});
  }
  return out;
}

// Elements are closed or close themselves, attributes are quoted, and all figures are finite.
void check_well_formed(const std::string& svg) {
  std::vector<std::string> open;
  static const std::regex tag("<(/?)([a-z]+)((?: [a-zA-Z][a-zA-Z0-9-]*=\"[^\"<]*\")*)(/?)>");
  std::size_t at = 0;
  while ((at = svg.find('<', at)) != std::string::npos) {
    std::smatch match;
    REQUIRE(std::regex_search(svg.begin() + static_cast<std::ptrdiff_t>(at), svg.end(), match, tag,
                              std::regex_constants::match_continuous));
    if (match[1].length()) {
      REQUIRE_FALSE(open.empty());
      CHECK(open.back() == match[2]);
      open.pop_back();
    } else if (!match[4].length()) {
      open.push_back(match[2]);
    }
    at += static_cast<std::size_t>(match[0].length());
  }
  CHECK(open.empty());
  CHECK(svg.find("nan") == std::string::npos);
  CHECK(svg.find("inf\"") == std::string::npos);
  static const std::regex stray("&(?!(amp|lt|gt);)");
  CHECK_FALSE(std::regex_search(svg, stray));
}

void check_plot(const std::string& svg) {
  check_well_formed(svg);
  const double height = attribute(svg.substr(0, svg.find('>')), "height");
  const std::vector<TextBox> boxes = texts_of(svg);
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    const TextBox& a = boxes[i];
    INFO("'" << a.text << "' at " << a.left << ", " << a.top);
    CHECK((a.left >= 0 && a.right <= 900 && a.top >= 0 && a.bottom <= height));
    for (std::size_t j = i + 1; j < boxes.size(); ++j) {
      const TextBox& b = boxes[j];
      INFO("and '" << b.text << "' at " << b.left << ", " << b.top);
      CHECK_FALSE((a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom));
    }
  }
}

// A ring of equal tiles: the next block comes while one is computed.
Trace ring_trace(int ranks, std::int64_t compute, std::int64_t transfer) {
  Trace trace;
  const std::int64_t hop_time = std::max(compute, transfer);
  for (int rank = 0; rank < ranks; ++rank) {
    for (int hop = 0; hop < ranks; ++hop) {
      const std::int64_t start = hop * hop_time;
      trace.events.push_back({rank, Lane::compute, "attend", start, start + compute, hop, 0, 1e9});
      if (hop + 1 == ranks) continue;
      for (const Lane lane : {Lane::send, Lane::receive}) {
        trace.events.push_back({rank, lane, "kv", start, start + transfer, hop, 1 << 20, 0});
      }
    }
  }
  sort_events(trace);
  return trace;
}

TEST_CASE("a timeline shows what is hidden and what is exposed") {
  const std::string svg = timeline_svg(ring_trace(4, 55'064, 91'000),
                                       {.title = "Ring of 4, transfers longer than tiles",
                                        .subtitle = "zigzag, 1024 tokens a rank, 184 GB/s"});
  check_plot(svg);
  approve("timeline", svg);
  // Three transfers of 91 us on each of four ranks, under tiles of 55.064 us.
  const auto width_of = [](const std::string& text, const std::string& colour) {
    double width = 0;
    const std::regex bar(
        "<rect x=\"[0-9.]+\" y=\"[0-9.]+\" width=\"([0-9.]+)\" "
        "height=\"([0-9.]+)\" fill=\"" +
        colour + "\"/>");
    for (std::sregex_iterator i(text.begin(), text.end(), bar), end; i != end; ++i) {
      if ((*i)[1] != "12.0") width += std::stod((*i)[1]);  // not the legend's
    }
    return width;
  };
  const double hidden = width_of(svg, "#56B4E9"), exposed = width_of(svg, "#D55E00");
  // Widths are written to a tenth of a pixel.
  CHECK(hidden / (hidden + exposed) == Approx(55.064 / 91).epsilon(0.005));
}

TEST_CASE("timelines of any size keep to the laws") {
  for (const int ranks : {1, 2, 7, 16, 33, 64, 200}) {
    CAPTURE(ranks);
    const std::string svg =
        timeline_svg(ring_trace(ranks, 1000, 400), {.title = "Ring", .subtitle = ""});
    check_plot(svg);
    CHECK(svg.size() < 4'000'000);
    if (const char* folder = std::getenv("RINGLAB_LOOK")) {
      write_file(std::string(folder) + fmt::format("/timeline{}.svg", ranks), svg);
    }
  }
  check_plot(timeline_svg({}, {.title = "Empty & <odd>", .subtitle = "\"quoted\""}));
  Trace one;
  one.events = {{0, Lane::compute, "attend", 5, 5, 0, 0, 0}};
  check_plot(timeline_svg(one, {.title = "No time", .subtitle = ""}));
}

TEST_CASE("memory bars say each part, the whole and the capacity") {
  const MemoryBarsPlot plot{
      "What a rank holds: Llama-3 8B, 128K tokens",
      "training, bf16, AdamW",
      {{"1 GPU",
        {{"weights", 16e9},
         {"optimizer", 96e9},
         {"activations", 41e9},
         {"keys and values", 0.5e9}}},
       {"8 GPUs, ZeRO 3",
        {{"weights", 2e9},
         {"optimizer", 12e9},
         {"activations", 5.1e9},
         {"keys and values", 0.5e9}}},
       {"16 GPUs, ZeRO 3",
        {{"weights", 1e9}, {"optimizer", 6e9}, {"activations", 2.6e9}, {"logits", 8e9}}}},
      80e9,
      "an H100"};
  const std::string svg = memory_bars_svg(plot);
  check_plot(svg);
  approve("memory_bars", svg);
  CHECK_THAT(svg, Catch::Contains(">154\u00a0GB<"));
  CHECK_THAT(svg, Catch::Contains("an H100 has 80\u00a0GB"));

  MemoryBarsPlot many{"Many parts", "", {{"a", {}}, {"b", {}}}, 0, ""};
  for (int i = 0; i < 12; ++i) {
    many.bars[0].parts.emplace_back(fmt::format("part number {}", i), 1e9 + 1e8 * i);
    many.bars[1].parts.emplace_back(fmt::format("part number {}", 11 - i), 2e9);
  }
  const std::string pooled = memory_bars_svg(many);
  check_plot(pooled);
  CHECK_THAT(pooled, Catch::Contains(">other<"));
  check_plot(memory_bars_svg({"Nothing", "", {}, 0, ""}));
  many.bars[0].parts[0].second = -1;
  CHECK_THROWS_AS(memory_bars_svg(many), InvariantError);
}

TEST_CASE("the break-even is where the formula says") {
  // Attention of a block of c tokens, 4 d c^2 / F, and its keys and values, 4 c d / B: equal at
  // c = F / B (Ring Attention, section 3): 1040 tokens on an A100 with NVLink.
  const double d = 4096, flops = 312e12, bytes = 300e9;
  PlotCurve attend{"attention of a block", {}}, move{"its keys and values", {}};
  for (double c = 128; c <= 16384; c *= 2) {
    attend.points.emplace_back(c, 4 * d * c * c / flops);
    move.points.emplace_back(c, 4 * c * d / bytes);
  }
  const PlotAxis x{"tokens of a block", PlotUnit::tokens, true},
      y{"time of a hop", PlotUnit::seconds, true};
  const auto found = crossings(attend, move, x, y);
  REQUIRE(found.size() == 1);
  CHECK(found[0].first == Approx(flops / bytes).epsilon(1e-9));
  CHECK(found[0].second == Approx(4 * d * 1040 / bytes).epsilon(1e-9));
  const std::string svg = curves_svg({"When the ring hides its traffic",
                                      "A100, NVLink at 300 GB/s, hidden size 4096, bf16",
                                      x,
                                      y,
                                      {attend, move},
                                      "break-even"});
  check_plot(svg);
  approve("break_even", svg);
  CHECK_THAT(svg, Catch::Contains("break-even at 1\u00a0040\u00a0tokens"));
}

TEST_CASE("crossings of lines") {
  const PlotAxis plain;
  const auto cross = [&](std::vector<std::pair<double, double>> a,
                         std::vector<std::pair<double, double>> b) {
    return crossings({"a", std::move(a)}, {"b", std::move(b)}, plain, plain);
  };
  using List = std::vector<std::pair<double, double>>;
  CHECK(cross({{0, 0}, {2, 2}}, {{0, 2}, {2, 0}}) == List{{1, 1}});
  CHECK(cross({{0, 0}, {4, 4}}, {{0, 2}, {1, 2}, {4, 2}}) == List{{2, 2}});
  CHECK(cross({{0, 0}, {1, 1}, {2, 2}}, {{0, 3}, {1, 1}, {2, 1}}) == List{{1, 1}});  // in a point
  CHECK(cross({{0, 0}, {1, 1}, {2, 0}}, {{0, 1}, {2, 1}}).empty());                  // touch
  CHECK(cross({{0, 0}, {2, 2}}, {{0, 0}, {2, 2}}).empty());                          // the same
  CHECK(cross({{0, 0}, {1, 1}}, {{2, 1}, {3, 0}}).empty());                          // apart
  CHECK(cross({{0, 0}, {1, 2}, {2, 0}}, {{0, 1}, {2, 1}}) == List{{0.5, 1}, {1.5, 1}});
}

TEST_CASE("scaling with ranks and with length") {
  PlotCurve zigzag{"zigzag", {}}, contiguous{"contiguous", {}}, ideal{"ideal", {}, true, false},
      striped{"striped", {}};
  for (double n = 1; n <= 64; n *= 2) {
    ideal.points.emplace_back(n, 42.0 / n);
    zigzag.points.emplace_back(n, 42.0 / n * (1 + 0.01 * n));
    striped.points.emplace_back(n, 42.0 / n * (1.02 + 0.012 * n));
    contiguous.points.emplace_back(n, 42.0 / n * (2 - 1 / n) + 0.01);
  }
  const std::string svg = curves_svg({"Prefill of 128K tokens",
                                      "H100 nodes, TP 8 in the node",
                                      {"nodes in the ring", PlotUnit::ranks, true},
                                      {"time to the first token", PlotUnit::seconds, true},
                                      {contiguous, zigzag, striped, ideal},
                                      ""});
  check_plot(svg);
  approve("scaling_ranks", svg);

  PlotCurve hidden{"hidden share", {}};
  for (double s = 8192; s <= 1048576; s *= 2) {
    hidden.points.emplace_back(s, std::min(100.0, s / 262144 * 100));
  }
  const std::string length = curves_svg({"What of the transfer is hidden",
                                         "8 x H100 over InfiniBand",
                                         {"tokens", PlotUnit::tokens, true},
                                         {"share of transfer under computation", PlotUnit::percent},
                                         {hidden},
                                         ""});
  check_plot(length);
  approve("scaling_length", length);
}

TEST_CASE("random curves keep to the laws") {
  std::mt19937 random(11);
  const auto uniform = [&](double low, double high) {
    return low + (high - low) * static_cast<double>(random() % 10001) / 10000;
  };
  constexpr std::array kUnits = {PlotUnit::number, PlotUnit::seconds, PlotUnit::bytes,
                                 PlotUnit::tokens, PlotUnit::ranks,   PlotUnit::percent,
                                 PlotUnit::dollars};
  for (int round = 0; round < 300; ++round) {
    CurvesPlot plot{"A title",
                    round % 2 ? "and a subtitle" : "",
                    {"across", kUnits[random() % kUnits.size()], random() % 2 == 0},
                    {"upwards", kUnits[random() % kUnits.size()], random() % 2 == 0},
                    {},
                    ""};
    const double size = std::pow(10, uniform(-6, 9));
    const int curves = 1 + static_cast<int>(random() % 7);
    for (int c = 0; c < curves; ++c) {
      PlotCurve curve{fmt::format("curve number {}", c), {}};
      double x = std::max(1.0, uniform(1, 5));
      const int points = 1 + static_cast<int>(random() % 9);
      for (int i = 0; i < points; ++i) {
        curve.points.emplace_back(x, size * uniform(0.01, 1));
        x *= uniform(1.5, 4);
      }
      plot.curves.push_back(curve);
    }
    CAPTURE(round);
    check_plot(curves_svg(plot));
  }
  CHECK_THROWS_AS(curves_svg({"t", "", {"x", PlotUnit::number, true}, {}, {{"a", {{0, 1}}}}, ""}),
                  InvariantError);
  CHECK_THROWS_AS(curves_svg({"t", "", {}, {}, {{"a", {{1, 1}, {1, 2}}}}, ""}), InvariantError);
  CHECK_THROWS_AS(curves_svg({"t", "", {}, {}, {{"a", {{1, std::nan("")}}}}, ""}), InvariantError);
  check_plot(curves_svg({"Nothing", "", {}, {}, {}, ""}));
}

TEST_CASE("figures with their units") {
  const std::pair<std::string, std::string> cases[] = {
      {plot_value(PlotUnit::seconds, 56.798e-6), "56.8 us"},
      {plot_value(PlotUnit::seconds, 0.99999), "1 s"},
      {plot_value(PlotUnit::seconds, 0), "0 s"},
      {plot_value(PlotUnit::bytes, 45.5625e9), "45.6 GB"},
      {plot_value(PlotUnit::bytes, 12), "12 bytes"},
      {plot_value(PlotUnit::tokens, 131072), "128K tokens"},
      {plot_value(PlotUnit::tokens, 1048576), "1M tokens"},
      {plot_value(PlotUnit::tokens, 24960), "24 960 tokens"},
      {plot_value(PlotUnit::tokens, 2048), "2K tokens"},
      {plot_value(PlotUnit::ranks, 8), "8 ranks"},
      {plot_value(PlotUnit::percent, 52.5), "52.5 %"},
      {plot_value(PlotUnit::dollars, 1234), "$1 234"},
      {plot_value(PlotUnit::number, 1e9), "1e+09"},
      {plot_value(PlotUnit::number, 0.25), "0.25"},
  };
  for (const auto& [written, wanted] : cases) {
    CHECK(std::regex_replace(written, std::regex("\u00a0"), " ") == wanted);
  }
}

}  // namespace
