#include "app/cli/options/options.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <limits>

#include "app/cli/options/edit_option.h"
#include "app/cli/options/repeated.h"
#include "app/document/fields/sandbox_fields.h"
#include "app/document/files/mask_files.h"
#include "app/document/files/text_files.h"
#include "app/document/mask_edits.h"
#include "app/document/subjects.h"
#include "app/recipe/recipe.h"
#include "engine/dumps/attention_dump.h"
#include "engine/formats/file_kind.h"
#include "engine/formats/file_reader.h"
#include "engine/forward/surgery.h"
#include "engine/model/files/model_places.h"
#include "engine/pipeline/pipeline.h"

namespace headlight {
namespace {

namespace fs = std::filesystem;

/// "2.5@causal": what follows the scope, and the scope: layer 2, head 5. Without "@": all heads.
struct ScopedText {
  Scope scope;
  std::string text;
};

ScopedText split_scope(const std::string& option, const std::string& text, HeadNames& names) {
  const std::size_t at = text.find('@');
  if (at == std::string::npos) return {{}, text};
  return {names.scope(text.substr(0, at), option), text.substr(at + 1)};
}

/// "2.5@mask.png". A file whose name has an @ itself is taken as it is.
ScopedText split_mask_file(const std::string& text, HeadNames& names) {
  std::error_code ignored;
  if (fs::exists(text, ignored)) return {{}, text};
  return split_scope("--mask-file", text, names);
}

void check_model_exists(const std::string& name) {
  if (name == "sandbox") return;
  const fs::path path = model_path(name);
  std::error_code ignored;
  if (fs::is_directory(path, ignored) || names_model_file(path.string())) return;
  const bool is_json = path.extension() == ".json" && fs::is_regular_file(path, ignored);
  const std::optional<FileKind> kind =
      !is_json && fs::is_regular_file(path, ignored) ? recognize_kind(read_beginning(path, 64)) : std::nullopt;
  throw Error({.kind = ErrorKind::input,
               .file = name,
               .problem = "this is neither a model nor a file of attention maps",
               .found = kind ? std::string(kind->name) : std::string(),
               .expected = "a folder with config.json, model.safetensors and a tokenizer, a GGUF file, or a file of attention maps",
               .hint = is_json ? "In JSON, maps stand under a name that holds \"attention\", such as \"attentions\" or \"attention.0\""
                       : kind  ? std::string(kind->advice)
                               : "Give the folder that holds the file; `headlight inspect` says what the file is"});
}

}  // namespace

void refuse_option(const std::string& option, const std::string& problem, const std::string& found, const std::string& expected,
                   const std::string& hint) {
  throw Error({.kind = ErrorKind::usage, .field = option, .problem = problem, .found = found, .expected = expected, .hint = hint});
}

void refuse_unused(const CLI::App& command, std::string_view what, std::string_view chosen, std::span<const OptionUser> users) {
  const auto uses = [](const OptionUser& user, std::string_view option) {
    return std::find(user.options.begin(), user.options.end(), option) != user.options.end();
  };
  const auto own = std::find_if(users.begin(), users.end(), [&](const OptionUser& user) { return user.name == chosen; });
  for (const OptionUser& other : users) {
    for (const std::string_view option : other.options) {
      if (own == users.end() || uses(*own, option) || command.get_option(std::string(option))->count() == 0) continue;
      std::string names;
      for (const OptionUser& user : users) {
        if (uses(user, option)) names += fmt::format("{}{}{}", names.empty() ? "" : ", ", what, user.name);
      }
      refuse_option(std::string(option), fmt::format("{}{} does not use this option", what, chosen), {}, {},
                    fmt::format("It is used by {}. Leave it out, or choose one of these", names));
    }
  }
}

bool writes_npz(const std::string& output) {
  const std::string ending = fs::path(output).extension().string();
  if (ending == ".npz" || ending == ".safetensors") return ending == ".npz";
  refuse_option("-o", "the ending says what to write", "\"" + printable(output, 120) + "\"", ".safetensors or .npz");
}

void add_item(CLI::App& command, std::optional<int>& item) {
  command.add_option("--item", item, "Which text of a file of attention maps that holds a batch, counted from 0")
      ->check(CLI::Range(0, std::numeric_limits<int>::max()).description(""))
      ->type_name("N");
}

void check_item(std::optional<int> item, const std::string& opened) {
  if (!item || names_attention_dump(opened)) return;
  refuse_option("--item", "chooses a text in a file of attention maps, and this is not one",
                opened.empty() ? std::string() : "\"" + printable(opened, 120) + "\"", {}, "Leave it out");
}

CLI::Option* add_masks(CLI::App& command, std::vector<std::string>& masks) {
  return add_repeated(command, "--mask", masks,
                      "Mask text instead of the model's own: none, causal, window:8, left:2, right:1, prefix:5,\n"
                      "padding:6, blocks:4, pair, no-self or a comparison of q, k and n (the number of keys), joined by +.\n"
                      "LAYER@TEXT or LAYER.HEAD@TEXT for one layer or head, such as 2.5@causal or cross.0@none; encoder@,\n"
                      "decoder@ or cross@TEXT for all heads of that stack; may be given several times")
      ->type_name("TEXT");
}

void apply_masks(const std::vector<std::string>& masks, HeadNames& names, MaskEdits& edits) {
  for (const std::string& mask : masks) {
    const ScopedText scoped = split_scope("--mask", mask, names);
    const MaskText checked(scoped.text);
    rule_for(edits, scoped.scope).text = scoped.text;
  }
}

/// A subject before an --and, read by options of its own.
struct QueryOptions::Part {
  CLI::App command;
  QueryOptions options{command};
};

QueryOptions::QueryOptions(CLI::App& command, QueryUse use) : needs_text_(use != QueryUse::corpus) {
  add_text(command);
  if (use != QueryUse::tokenise) {
    command.add_option("--decoder-text", decoder_text_, "What the decoder of an encoder-decoder model reads")->type_name("TEXT");
    add_edits(command);
  }
  sandbox_.emplace(command, "Sandbox", sandbox_fields(), use == QueryUse::tokenise);
  if (use == QueryUse::compare) {
    add_and(command);
  } else {
    const auto refuse = [](std::int64_t) {
      refuse_option("--and", "this command runs one subject", {}, {},
                    "Run it once for each. `headlight save` and `headlight export --figure compare` take several");
    };
    command.add_flag_function("--and", refuse)->trigger_on_parse()->group("");
  }
  command
      .add_option("--document", document_,
                  "A document (*.headlight.json), or a figure that was exported, to start from; the other options override it")
      ->type_name("FILE");
  command.add_option("--threads", threads_, "Threads to compute with; 0: one per core")
      ->check(CLI::Range(0, 1024).description(""))
      ->type_name("N");
}

QueryOptions::~QueryOptions() = default;

std::string read_given_text(const std::string& path) {
  constexpr std::uint64_t kMost = std::uint64_t{1} << 26U;
  return path == "-" ? read_standard_input(kMost) : read_text_file(path, kMost);
}

void QueryOptions::add_and(CLI::App& command) {
  own_ = command.get_options([](const CLI::Option* option) { return option->get_name() != "--help"; });
  command
      .add_flag_function(
          "--and", [this](std::int64_t) { begin_next(); },
          "Begins the next subject, to be compared: a copy of the one before, which the options after\n"
          "--and change. -t \"a cat\" --and -t \"a dog\"; up to four")
      ->trigger_on_parse();
}

void QueryOptions::begin_next() {
  Part& part = *parts_.emplace_back(std::make_unique<Part>());
  for (CLI::Option* option : own_) {
    if (option->count() == 0) continue;
    CLI::Option* same = part.command.get_option(option->get_name());
    same->add_result(option->results());
    same->run_callback();
    option->clear();
  }
}

void QueryOptions::add_text(CLI::App& command) {
  command
      .add_option("-m,--model", model_,
                  "sandbox or another built-in model, a folder in Hugging Face layout, a .gguf file, an id in the Hugging Face cache,\n"
                  "or a file of attention maps (`headlight models` lists the names)")
      ->type_name("MODEL");
  CLI::Option* text = command.add_option("-t,--text", text_, "The sentence")->type_name("TEXT");
  command.add_option("--text-file", text_file_, kTextFileHelp)->type_name("F")->excludes(text);
  command.add_option("--text-pair", text_pair_, "A second sentence, for models that read pairs")->type_name("TEXT");
  command.add_flag("--plain-special", is_special_text_plain_, "Read [MASK] or <s> in a text as plain text, not as that token");
  add_item(command, item_);
  command.add_option("--ids", ids_, "Token ids instead of a text: 464,3290,318")->type_name("ID,...");
}

void QueryOptions::add_edits(CLI::App& command) {
  const std::string group = "Edits";
  command.add_option("--heads", heads_, "Split every layer into this many heads")->type_name("N")->group(group);
  command.add_option("--kv-heads", kv_heads_, "Let heads share this many key/value heads: repeated, or averaged in a loaded model")
      ->type_name("N")
      ->group(group);
  add_masks(command, masks_)->group(group);
  add_repeated(command, "--mask-file", mask_files_,
               "A mask of one map from a .npy, .txt or .png file, 1 or white: may attend. Masks that are added to\n"
               "scores (0 and -inf) and pictures in grey are converted, with a note; LAYER@ as for --mask")
      ->type_name("FILE")
      ->group(group);
  add_repeated(command, "--deny", denied_, "Cells that may not be attended to: 3:0,4:*,5:0-2 (query:key); LAYER@ as for --mask")
      ->type_name("Q:K,...")
      ->group(group);
  add_repeated(command, "--allow", allowed_, "Cells that may be attended to, whatever mask and --deny say")
      ->type_name("Q:K,...")
      ->group(group);
  command.add_option("--off,--silence", switched_off_, "Heads to switch off, as if they had been cut out: 0.3,1.7")
      ->type_name("L.H,...")
      ->group(group);
  add_head_edits(command, edits_)->group(group);
  command.add_flag("--no-scale", is_unscaled_, "Do not divide scores by the square root of the head's width")->group(group);
  command.add_option("--temperature", temperature_, "Divide scores by this before the softmax")
      ->check(CLI::Range(1e-6, 1e6).description(""))
      ->type_name("X")
      ->group(group);
  add_choice(command, "--score", score_, "Score function instead of the model's own")->group(group);
  command.add_option("--softcap", softcap_, "Cap scores at this bound with tanh; 0: no cap")
      ->check(CLI::Range(0.0, 1e6).description(""))
      ->type_name("X")
      ->group(group);
  command.add_option("--sink", sink_, "Score of a sink that takes its share of every row")
      ->check(CLI::Range(-1e6, 1e6).description(""))
      ->type_name("X")
      ->group(group);
  add_choice(command, "--mask-reach", mask_reach_,
             "Whether an edited mask acts on later layers too, or only on the maps of the edited heads")
      ->group(group);
}

std::vector<std::string> notes_on_texts(const Document& document) {
  const std::size_t texts = texts_of(document).size();
  if (texts == 1) return {};
  return {fmt::format("The document holds {} texts; this is {}, the focused one.", texts, subject_name(document, document.focused))};
}

std::vector<std::string> check_masks(const std::vector<ScopedMask>& masks, const Snapshot& snapshot) {
  std::vector<std::string> notes;
  for (const ScopedMask& mask : masks) {
    for (int layer = 0; layer < snapshot.layers(); ++layer) {
      const HeadId head{layer, mask.scope.where.head};
      if (mask.scope.contains(head, snapshot.model->config.place(layer).stack))
        check_mask_size(mask.read.mask, mask.path, snapshot.queries(layer), snapshot.keys(layer));
    }
    notes.insert(notes.end(), mask.read.notes.begin(), mask.read.notes.end());
  }
  return notes;
}

std::vector<std::string> QueryOptions::notes(const Snapshot& snapshot) const {
  std::vector<std::string> notes;
  const Query& query = snapshot.query;
  if (!snapshot.is_dump() && (query.heads || query.kv_heads)) {
    const ModelConfig& config = snapshot.model->config;
    notes.push_back(describe_surgery(config, resolve_head_counts(config, query.heads, query.kv_heads)).sentence);
  }
  if (snapshot.is_dump() && (text_ || text_file_ || text_pair_ || decoder_text_ || ids_)) {
    notes.emplace_back("The text does nothing here: the maps come from a file, with its own tokens.");
  }
  if (!snapshot.is_dump() && decoder_text_ && !snapshot.model->config.is_encoder_decoder()) {
    notes.emplace_back("--decoder-text does nothing here: the model has no decoder beside an encoder.");
  }
  if (!query.ids.empty() && text_pair_ && !snapshot.model->config.is_encoder_decoder()) {
    notes.emplace_back("--text-pair does nothing here: --ids gives all tokens.");
  }
  return notes;
}

Document QueryOptions::document(Json* unknown, SubjectMasks* masks) const {
  Document document;
  if (document_) document = load_document_or_figure(*document_, unknown);
  const auto apply = [&](const QueryOptions& options, bool has_base) {
    std::vector<ScopedMask> read = options.apply(document.query, has_base);
    if (masks) (*masks)[document.focused] = std::move(read);
  };
  apply(parts_.empty() ? *this : parts_.front()->options, document_.has_value());
  const int in_front = document.focused;
  for (std::size_t part = 1; part <= parts_.size(); ++part) {
    add_copy(document);
    apply(part < parts_.size() ? parts_[part]->options : *this, true);
  }
  focus(document, in_front);
  return document;
}

std::vector<std::pair<int, const QueryOptions*>> QueryOptions::described(const Document& document) const {
  const std::vector<int> texts = texts_of(document);
  std::vector<std::pair<int, const QueryOptions*>> described{{document.focused, parts_.empty() ? this : &parts_.front()->options}};
  for (std::size_t part = 1; part <= parts_.size(); ++part) {  // the texts that were added are the last
    described.emplace_back(texts[texts.size() - parts_.size() + part - 1], part < parts_.size() ? &parts_[part]->options : this);
  }
  return described;
}

std::vector<ScopedMask> QueryOptions::apply(Query& query, bool has_base) const {
  if (model_ && *model_ != query.model.name) query.item.reset();
  if (model_) {
    query.model.name = *model_;
    query.model.version = version_of_built_in(*model_);
  }
  if (item_) query.item = *item_;
  if (!model_ && !has_base) refuse_option("-m", "no model is named", {}, "-m sandbox, or -m FOLDER");
  check_model_exists(query.model.name);
  check_item(item_, query.model.name);
  apply_text(query, has_base);
  apply_sandbox(query.model);
  return apply_edits(query);
}

void QueryOptions::apply_text(Query& query, bool has_base) const {
  const bool has_text = text_ || text_file_;
  if (has_text && ids_) refuse_option("--ids", "ids and a text exclude each other", {}, "one of -t and --ids");
  const bool has_own_text = names_attention_dump(query.model.name);  // the maps belong to one text
  if (needs_text_ && !has_text && !ids_ && !has_base && !has_own_text)
    refuse_option("-t", "which text?", {}, "-t TEXT (or --ids, or --document)");
  if (has_text) {
    query.text = text_file_ ? read_given_text(*text_file_) : *text_;
    query.ids.clear();
  }
  if (text_pair_) query.text_pair = *text_pair_;
  if (decoder_text_) query.decoder_text = *decoder_text_;
  if (is_special_text_plain_) query.reads_special_text = false;
  if (!ids_) return;
  query.ids.clear();
  for (const std::string& part : split_list(*ids_)) {
    const auto id = parse_number<std::int64_t>(part);
    if (!id || *id < 0)
      refuse_option("--ids", "this is not a token id", "\"" + printable(part, 60) + "\"", "whole numbers from 0, separated by commas");
    query.ids.push_back(*id);
  }
  if (query.ids.empty()) refuse_option("--ids", "no ids", {}, "whole numbers from 0, separated by commas");
}

void QueryOptions::apply_sandbox(ModelChoice& model) const {
  if (sandbox_->is_given() && model.name != "sandbox") {
    refuse_option("--layers, --d-model, --seed, --positions, --unit and the like", "these are choices of the sandbox only",
                  "model " + printable(model.name, 80), {}, "A loaded model has its own; --mask none lets its tokens see each other");
  }
  sandbox_->apply(model.sandbox);
}

std::vector<ScopedMask> QueryOptions::apply_edits(Query& query) const {
  if (heads_ && query.model.name == "sandbox") {
    query.model.sandbox.heads = *heads_;  // so that a width that 8 heads do not divide can be asked for
    query.heads.reset();
  } else if (heads_) {
    query.heads = *heads_;
  }
  if (kv_heads_ && query.model.name == "sandbox") {
    query.model.sandbox.kv_heads = *kv_heads_;
    query.kv_heads.reset();
  } else if (kv_heads_) {
    query.kv_heads = *kv_heads_;
  }
  HeadNames names(query.model, query.item);
  apply_masks(masks_, names, query.mask);
  std::vector<ScopedMask> masks;
  for (const std::string& file : mask_files_) {
    const ScopedText scoped = split_mask_file(file, names);
    masks.push_back({scoped.scope, scoped.text, read_mask(scoped.text)});
    paint_mask(query.mask, scoped.scope, strokes_of(masks.back().read.mask));
  }
  const auto add_strokes = [&](const std::string& option, const std::vector<std::string>& lists, bool is_allowed) {
    for (const std::string& list : lists) {
      const ScopedText scoped = split_scope(option, list, names);
      std::vector<CellBlock>& strokes = rule_for(query.mask, scoped.scope).strokes;
      for (const CellBlock& block : parse_cells(scoped.text, is_allowed)) strokes.push_back(block);
    }
  };
  add_strokes("--deny", denied_, false);
  add_strokes("--allow", allowed_, true);
  if (switched_off_) {
    query.switched_off = names.heads(*switched_off_, "--off");
    std::sort(query.switched_off.begin(), query.switched_off.end());
    query.switched_off.erase(std::unique(query.switched_off.begin(), query.switched_off.end()), query.switched_off.end());
  }
  apply_head_edits(edits_, names, switched_off_ ? query.switched_off : std::vector<HeadId>(), query);
  if (is_unscaled_) query.score.is_scaled = false;
  query.score.temperature = temperature_.value_or(query.score.temperature);
  if (score_) query.score.kind = score_;
  if (softcap_) query.score.softcap = softcap_;
  if (sink_) query.score.sink = sink_;
  if (mask_reach_ && query.mask.rules.empty())
    refuse_option("--mask-reach", "no mask is edited, and so none reaches anywhere", {}, {},
                  "Leave it out, or edit one with --mask, --mask-file, --deny or --allow");
  query.mask_reach = mask_reach_.value_or(query.mask_reach);
  return masks;
}

}  // namespace headlight
