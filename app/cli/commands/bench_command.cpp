#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <functional>
#include <random>
#include <vector>

#include "app/cli/bench/bench_figures.h"
#include "app/cli/bench/bench_forward.h"
#include "app/cli/bench/bench_heads.h"
#include "app/cli/bench/bench_importance.h"
#include "app/cli/bench/bench_line.h"
#include "app/cli/bench/bench_long.h"
#include "app/cli/commands/commands.h"
#include "app/cli/console.h"
#include "app/document/document.h"
#include "engine/core/error.h"
#include "engine/figure/files/write_figure.h"
#include "engine/figure/grid/grid_figure.h"
#include "engine/figure/painters/painters.h"
#include "engine/figure/pictures.h"
#include "engine/formats/file_reader.h"
#include "engine/kernels/machine_speed.h"
#include "engine/pipeline/pipeline.h"

namespace headlight {
namespace {

/// The sizes of GPT-2 small.
SandboxSpec large_sandbox() {
  SandboxSpec spec;
  spec.layers = 12;
  spec.heads = 12;
  spec.d_model = 768;
  return spec;
}

/// A text of `count` words, no two neighbours alike.
std::string words(int count) {
  std::string text;
  for (int word = 0; word < count; ++word) text += fmt::format("{}w{}", word == 0 ? "" : " ", word % 97);
  return text;
}

std::shared_ptr<const Snapshot> run_query(Pipeline& pipeline, const Query& query) {
  SilentProgress silent;
  return pipeline.run(query, silent);
}

/// Times `query` right after `before`: what the two share is reused.
void bench_run(const Bench& bench, Pipeline& pipeline, const std::string& name, const Query& before, const Query& query,
               const std::function<std::string(double seconds)>& remark = {}) {
  bench.measure(
      name, [&] { run_query(pipeline, query); }, [&] { run_query(pipeline, before); }, remark);
}

Query query_of(const SandboxSpec& sandbox, std::string text) {
  Query query;
  query.model.sandbox = sandbox;
  query.text = std::move(text);
  return query;
}

/// All layers, at several lengths: the text changes between two rounds, so that only the model is reused.
void bench_forward(const Bench& bench, Pipeline& pipeline) {
  for (const int tokens : {16, 64, 256, 512}) {
    bench_run(bench, pipeline, fmt::format("forward pass, 12 layers × 12 heads, d_model 768, {} tokens", tokens),
              query_of(large_sandbox(), "x"), query_of(large_sandbox(), words(tokens)));
  }
}

/// The same text with one head of the last layer switched off: what an edit costs when the layers below are reused.
void bench_edit(const Bench& bench, Pipeline& pipeline) {
  const Query before = query_of(large_sandbox(), words(256));
  Query edited = before;
  edited.switched_off = {{11, 0}};
  bench_run(bench, pipeline, "edit in the last of these layers, 256 tokens", before, edited);
}

/// What a keystroke costs in a long text: its last word changes, a word is added, or one in the middle changes. The least that it can take is
/// to read every weight once.
void bench_typing(const Bench& bench, Pipeline& pipeline) {
  const std::string start = words(250), end = words(249);
  const auto weights = static_cast<double>(tally_parameters(run_query(pipeline, query_of(large_sandbox(), "x"))->model->parameters).bytes);
  double whole = 0;
  const auto measure = [&](std::string_view what, const std::string& before, const std::string& after) {
    const MachineSpeed speed = measure_machine(pipeline.pool());
    bench_run(bench, pipeline, fmt::format("typing {}, 500 tokens", what), query_of(large_sandbox(), before),
              query_of(large_sandbox(), after), [&](double seconds) {
                if (whole == 0) whole = seconds;
                const double bytes = std::max(speed.bytes, measure_machine(pipeline.pool()).bytes);
                return fmt::format("{:.3f} of the whole, {:.2f} × reading the weights at {:.1f} GB/s", seconds / whole,
                                   seconds * bytes / weights, bytes * 1e-9);
              });
  };
  measure("a whole text", "x", start + " " + end + " last");
  measure("the last word anew", start + " " + end + " last", start + " " + end + " other");
  measure("one word more", start + " " + end, start + " " + end + " last");
  measure("a word in the middle anew", start + " middle " + end, start + " other " + end);
}

void bench_rebuild(const Bench& bench, Pipeline& pipeline) {
  SandboxSpec one_head;
  one_head.layers = 1;
  one_head.heads = 1;
  for (const int tokens : {512, 2048}) {
    const std::shared_ptr<const Snapshot> snapshot = run_query(pipeline, query_of(one_head, words(tokens)));
    bench.measure(fmt::format("rebuild the maps of one head of width 64, {} tokens", tokens), [&] { snapshot->maps({0, 0}); });
  }
}

void bench_tokenizer(const Bench& bench) {
  const std::string text = words(20'000);
  for (const SandboxUnit unit : {SandboxUnit::words, SandboxUnit::bytes}) {
    const std::shared_ptr<const Tokenizer> tokenizer = make_sandbox_tokenizer(unit);
    bench.measure(fmt::format("tokenize {} kB by {}", text.size() / 1000, unit == SandboxUnit::words ? "words" : "bytes"),
                  [&] { tokenizer->encode(text, std::nullopt); });
  }
}

void make_pictures(ShownMaps& maps) {
  for (int layer = 0; layer < maps.run().layers(); ++layer) {
    for (int head = 0; head < maps.run().heads(layer); ++head) maps.small({layer, head});
  }
}

/// The CPU painter on the overview as the window shows it, labels and colour bar included.
void bench_overview(const Bench& bench, Pipeline& pipeline) {
  const MeasureText measure = pango_measure();
  for (const int tokens : {64, 512}) {
    const std::shared_ptr<const Snapshot> snapshot = run_query(pipeline, query_of(large_sandbox(), words(tokens)));
    GridFigureRequest request;
    request.area = {0, 0, 1572, 972};  // 1.5 Mpx of maps
    ShownMaps maps(*snapshot, request.style);
    make_pictures(maps);
    request.maps = &maps;
    Scene scene = make_grid_figure(*snapshot, request, measure).scene;
    scene.width = request.area.width;
    scene.height = request.area.height;
    bench.measure(fmt::format("pictures of 144 heads for the overview, {} tokens", tokens), [&] {
      ShownMaps fresh(*snapshot, request.style);
      make_pictures(fresh);
    });
    bench.measure(fmt::format("paint the overview of 144 heads, 1572×972, {} tokens", tokens), [&] { to_image(scene, 1); });
  }
}

/// A window that opens on the sandbox and closes at its first picture. Needs a display.
void bench_start(const Bench& bench, const OpenWindow& open_window, int threads) {
  if (!open_window) return write_result("start of the window: not in this build\n");
  WindowOptions window;
  window.script = (std::filesystem::temp_directory_path() / fmt::format("headlight-bench-{}.script", std::random_device{}())).string();
  window.threads = threads;
  write_file(window.script, "wait\nquit\n");
  try {
    bench.measure("window from start to its first picture and back", [&] { open_window(window); });
  } catch (const Error& error) {
    write_result(fmt::format("start of the window: {}\n", error.message()));
  }
  std::error_code ignored;
  std::filesystem::remove(window.script, ignored);
}

/// The window as its frames are timed: a document, and what a script does with it.
struct TimedWindow {
  const OpenWindow& open_window;
  WindowOptions options;
  /// What the script does once the document's picture is shown. Where the program asks first whether to compute this much, or refuses to, there
  /// is none, and an empty window is not a measurement.
  void play(const Document& document, const std::string& script) {
    save_document(document, options.open);
    write_file(options.script, "wait\nexpect not Compute\nexpect not \"Close Refusal\"\n" + script);
    try {
      open_window(options);
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::usage) throw;  // not the script's
      const auto tokens = std::count(document.query.text.begin(), document.query.text.end(), ' ') + 1;
      write_result(fmt::format("frames of the window, {}, {} words: {}\n", size(), tokens, error.message()));
    }
  }
  std::string size() const { return fmt::format("{}x{}", options.width, options.height); }
};

Document document_of_sandbox(int layers, int heads, int tokens) {
  Document document = sandbox_document();
  document.query.model.sandbox = large_sandbox();
  document.query.model.sandbox.layers = layers;
  document.query.model.sandbox.heads = heads;
  document.query.model.sandbox.d_model = 64 * heads;
  document.query.text = words(tokens);
  document.pins = {Pin{.head = {0, 0}}, Pin{.head = {0, 1}}};
  return document;
}

/// The views of which most changes while the pointer goes over them.
void bench_pointer(TimedWindow& window, const Document& document, int tokens) {
  std::string script;
  for (const char* const view : {"Overview", "Head", "Flow", "Measures", "Labs"}) {
    script +=
        fmt::format("click {0}\nwait\nhover {1},{2}\nwait\nbench-drag 60 {3} \"{0} under a moving pointer, {4}, 144 heads, {5} tokens\"\n",
                    view, window.options.width / 2, window.options.height / 2, window.options.height / 4, window.size(), tokens);
  }
  window.play(document, script);
}

/// Every view, and what moves: lines of all heads, the pointer, maps that are scrolled and panned, and a colour scale that is dragged.
void bench_frames_of_size(TimedWindow& window) {
  for (const int tokens : {64, 512, 2048}) {
    const std::string what = fmt::format("{}, 144 heads, {} tokens", window.size(), tokens);
    window.play(document_of_sandbox(12, 12, tokens),
                fmt::format("bench-views 60 \"frame of the window, {0}\"\nclick Links\nclick \"Lines of all\"\nclick \"Lines by top "
                            "k\"\nwait\nbench-frames 60 \"Links with lines of all heads, {0}\"\nclick Overview\nwait\nclick Heads\nclick "
                            "Mask\nwait\npress Gamma\n"
                            "bench-drag 40 56 \"Overview while the colour scale is dragged, {0}\"\nrelease\n",
                            what));
  }
  bench_pointer(window, document_of_sandbox(12, 12, 2048), 2048);
  for (const auto& [layers, heads] : {std::pair{32, 32}, std::pair{80, 64}}) {
    Document document = document_of_sandbox(layers, heads, 16);
    document.query.model.sandbox.d_model = 1024;
    window.play(document, fmt::format("click Overview\nwait\nhover \"head 0.1\"\nbench-wheel 60 \"Overview while it scrolls, {}, {} × {} "
                                      "heads\"\n",
                                      window.size(), layers, heads));
  }
  window.play(document_of_sandbox(1, 2, 8192),
              fmt::format("click Head\nwait\nhover \"map\" cell 4000,3000\nwheel 0,8\nwait\npress \"map\" cell 4000,3000\n"
                          "bench-drag 60 200 \"Head while it is panned, {}, 8192 tokens\"\nrelease\n",
                          window.size()));
}

/// Whole frames of the window, from the panels to the screen. Needs a display.
void bench_frames(const OpenWindow& open_window, int threads) {
  if (!open_window) return write_result("frames of the window: not in this build\n");
  const std::filesystem::path folder = std::filesystem::temp_directory_path();
  const std::string stem = (folder / fmt::format("headlight-bench-{}", std::random_device{}())).string();
  TimedWindow window{open_window, {}};
  window.options.open = stem + ".headlight.json";
  window.options.script = stem + ".script";
  window.options.threads = threads;
  try {
    for (const auto& [width, height] : {std::pair{1600, 1000}, std::pair{2560, 1440}}) {
      window.options.width = width;
      window.options.height = height;
      bench_frames_of_size(window);
    }
    Document document = document_of_model("story-gpt");
    document.query.text =
        "The old captain of the ship told the young sailors about a storm that he had seen before the war when he was a "
        "boy and lived with his mother in a small house near the sea .";
    window.play(document, "click Sentence\nkey end\nwait\nbench-keys 40 \"from a key to its picture, story-gpt, 41 tokens\"\n");
  } catch (const Error& error) {
    write_result(fmt::format("frames of the window: {}\n", error.message()));
  }
  std::error_code ignored;
  std::filesystem::remove(window.options.open, ignored);
  std::filesystem::remove(window.options.script, ignored);
}

/// What a part is given.
struct BenchRun {
  const Bench& bench;
  Pipeline& pipeline;
  const OpenWindow& open_window;
  int threads = 0;
};

/// A part of the table, which can be asked for by its name.
struct BenchPart {
  std::string_view name;
  void (*run)(const BenchRun& run);
};

constexpr std::array kParts = {
    BenchPart{"forward",
              [](const BenchRun& run) {
                bench_forward(run.bench, run.pipeline);
                bench_edit(run.bench, run.pipeline);
                bench_shapes(run.bench, run.pipeline.pool());
              }},
    BenchPart{"typing", [](const BenchRun& run) { bench_typing(run.bench, run.pipeline); }},
    BenchPart{"pictures",
              [](const BenchRun& run) {
                bench_overview(run.bench, run.pipeline);
                bench_rebuild(run.bench, run.pipeline);
              }},
    BenchPart{"figures", [](const BenchRun& run) { bench_figures(run.bench, run.pipeline); }},
    BenchPart{"tokenizer", [](const BenchRun& run) { bench_tokenizer(run.bench); }},
    BenchPart{"heads", [](const BenchRun& run) { bench_heads(run.pipeline.pool()); }},
    BenchPart{"importance", [](const BenchRun& run) { bench_importance(run.pipeline.pool()); }},
    BenchPart{"long", [](const BenchRun& run) { bench_long(run.bench, run.threads); }},
    BenchPart{"start", [](const BenchRun& run) { bench_start(run.bench, run.open_window, run.threads); }},
    BenchPart{"frames", [](const BenchRun& run) { bench_frames(run.open_window, run.threads); }},
};

const BenchPart* find_part(std::string_view name) {
  const auto* found = std::find_if(kParts.begin(), kParts.end(), [&](const BenchPart& part) { return part.name == name; });
  return found == kParts.end() ? nullptr : found;
}

std::string names_of_parts() {
  std::string names;
  for (const BenchPart& part : kParts) names += fmt::format("{}{}", names.empty() ? "" : ", ", part.name);
  return names;
}

struct BenchOptions {
  explicit BenchOptions(CLI::App& command) {
    command.add_option("part", parts, "Only these parts of the table: " + names_of_parts())
        ->type_name("PART")
        ->check([](const std::string& name) {
          return find_part(name) != nullptr ? "" : fmt::format("there is no part '{}'; there are: {}", name, names_of_parts());
        });
    command
        .add_option("--rounds", rounds,
                    fmt::format("Most measurements of each line, which stops after {} seconds; the median is printed", Bench::kMostSeconds))
        ->check(CLI::Range(1, 1000).description(""))
        ->type_name("N")
        ->capture_default_str();
    command.add_option("--threads", threads, "Threads to compute with; 0: one per core")
        ->check(CLI::Range(0, 1024).description(""))
        ->type_name("N");
  }
  std::vector<std::string> parts;
  int rounds = 5;
  int threads = 0;
};

int run_bench(const BenchOptions& options, const OpenWindow& open_window) {
  const Bench bench(options.rounds);
  Pipeline pipeline(options.threads);
  write_result(fmt::format("{} threads, median of up to {} rounds, fastest … slowest\n", pipeline.pool().threads(), options.rounds));
  const BenchRun run{bench, pipeline, open_window, options.threads};
  for (const BenchPart& part : kParts) {
    const bool is_wanted = options.parts.empty() || std::find(options.parts.begin(), options.parts.end(), part.name) != options.parts.end();
    if (is_wanted) part.run(run);
  }
  return 0;
}

}  // namespace

void add_bench(CLI::App& command, Action& action, const OpenWindow& open_window) {
  keep_options<BenchOptions>(command, action, [open_window](const BenchOptions& options) { return run_bench(options, open_window); });
}

}  // namespace headlight
