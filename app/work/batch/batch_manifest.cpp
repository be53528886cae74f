#include "app/work/batch/batch_manifest.h"

#include "engine/core/error.h"
#include "engine/formats/file_reader.h"
#include "engine/formats/json.h"

namespace headlight {
namespace {

constexpr std::string_view kFormat = "headlight-batch";
constexpr int kVersion = 1;
constexpr std::uint64_t kLargest = std::uint64_t{1} << 28U;
constexpr std::int64_t kMostTexts = 1'000'000'000;

}  // namespace

void write_batch_manifest(const std::filesystem::path& folder, const std::vector<BatchItem>& items) {
  Json list = Json::array();
  for (const BatchItem& item : items) {
    if (item.sha256.empty()) continue;
    list.push_back(
        {{"file", item.file}, {"figure", item.figure}, {"text", item.text}, {"recipe_sha256", item.recipe}, {"sha256", item.sha256}});
  }
  const Json manifest = {{"format", kFormat}, {"format_version", kVersion}, {"items", std::move(list)}};
  write_file(folder / kManifestName, json_text(manifest, 1) + "\n");
}

std::vector<BatchItem> read_batch_manifest(const std::filesystem::path& folder) {
  const std::filesystem::path path = folder / kManifestName;
  std::error_code ignored;
  if (!std::filesystem::exists(path, ignored)) return {};
  const std::string file = printable(path.native());
  const JsonTree tree = parse_json(read_file(path, kLargest), file);
  const JsonFields fields(*tree, file);
  if (fields.text("format") != kFormat) fields.refuse("format", "this is not the list of a batch", in_quotes(fields.text("format")));
  fields.integer("format_version", kVersion, kVersion);
  std::vector<BatchItem> items;
  for (const Json& each : fields.array("items")) {
    const JsonFields item(each, file, "items");
    items.push_back({.file = item.text("file"),
                     .figure = item.text("figure"),
                     .text = static_cast<std::size_t>(item.integer("text", 0, kMostTexts)),
                     .recipe = item.text("recipe_sha256"),
                     .sha256 = item.text("sha256")});
  }
  return items;
}

}  // namespace headlight
