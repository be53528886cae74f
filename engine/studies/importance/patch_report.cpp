#include "engine/studies/importance/patch_report.h"

#include <fmt/core.h>

#include <cmath>

#include "engine/core/error.h"
#include "engine/formats/json.h"
#include "engine/formats/replacing_file.h"

namespace headlight {
namespace {

using Report = nlohmann::ordered_json;

std::string number_or_nothing(double value) {
  return std::isnan(value) ? std::string() : fmt::format("{}", value);
}

Report number_or_null(double value) {
  return std::isnan(value) ? Report() : Report(value);
}

template <class Value>
bool is_by_place(const std::vector<Value>& values) {
  return !values.empty() && values.front().head < 0;
}

template <class Value>
Report place_of(const Value& value) {
  Report place = {{"layer", value.layer}};
  if (value.head >= 0) place["head"] = value.head;
  if (value.position >= 0) place["position"] = value.position;
  return place;
}

}  // namespace

std::string patch_csv(const PatchSweep& sweep) {
  const bool has_positions = is_by_place(sweep.values);
  std::string text = has_positions ? "layer,position,value,recovered\n" : "layer,head,value,recovered\n";
  for (const PatchValue& value : sweep.values) {
    text += fmt::format("{},{},{},{}\n", value.layer, has_positions ? value.position : Index{value.head}, value.value,
                        number_or_nothing(sweep.recovered(value)));
  }
  return text;
}

nlohmann::ordered_json patch_json(const PatchSweep& sweep, const std::string& target) {
  Report report = {{"target", target}, {"unpatched", sweep.unpatched}, {"other", sweep.other}, {"patches", Report::array()}};
  for (const PatchValue& value : sweep.values) {
    Report each = place_of(value);
    each["value"] = value.value;
    each["recovered"] = number_or_null(sweep.recovered(value));
    report["patches"].push_back(std::move(each));
  }
  return report;
}

std::string patch_csv(const PatchStudy& study) {
  const bool has_positions = is_by_place(study.places);
  std::string text = fmt::format("layer,{},n,change,standard_error,recovered\n", has_positions ? "position" : "head");
  for (const PatchedPlace& place : study.places) {
    text += fmt::format("{},{},{},{},{},{}\n", place.layer, has_positions ? place.position : Index{place.head}, place.change.count,
                        number_or_nothing(place.change.mean()), number_or_nothing(place.change.standard_error()),
                        number_or_nothing(place.recovered()));
  }
  return text;
}

nlohmann::ordered_json patch_json(const PatchStudy& study, const std::string& target) {
  Report report = {{"target", target},
                   {"texts", study.texts},
                   {"unpatched", number_or_null(study.unpatched.mean())},
                   {"other", number_or_null(study.other.mean())},
                   {"patches", Report::array()},
                   {"skipped", Report::array()}};
  for (const PatchedPlace& place : study.places) {
    Report each = place_of(place);
    each["n"] = place.change.count;
    each["change"] = number_or_null(place.change.mean());
    each["standard_error"] = number_or_null(place.change.standard_error());
    each["recovered"] = number_or_null(place.recovered());
    report["patches"].push_back(std::move(each));
  }
  for (const BadLine& each : study.skipped) report["skipped"].push_back({{"line", each.line}, {"problem", each.reason}});
  return report;
}

void check_patch_file(const std::filesystem::path& path, bool has_details) {
  const std::string ending = path.extension().string();
  if (ending != ".csv" && ending != ".json" && ending != ".study") {
    throw Error({.kind = ErrorKind::usage,
                 .field = "-o",
                 .problem = "the ending says what to write",
                 .found = "\"" + printable(path.string(), 120) + "\"",
                 .expected = ".csv, .json or .study for patches"});
  }
  if (!has_details) return;
  throw Error({.kind = ErrorKind::usage,
               .field = "--details",
               .problem = "a file of patches always contains the counts and standard errors",
               .hint = "Leave it out"});
}

void write_found(const std::filesystem::path& path, const StoredStudy& stored, const TableOptions& options) {
  const std::optional<PatchStudy> patches = patch_study_of(stored);
  if (!patches) return write_study_table(path, stored, options);
  check_patch_file(path, options.has_details);
  const std::string ending = path.extension().string();
  if (ending == ".study") return write_study(path, stored.manifest, stored.study);
  ReplacingFile file(path);
  file.write(ending == ".csv" ? patch_csv(*patches) : json_text(patch_json(*patches, stored.manifest.target), 2) + "\n");
  file.commit();
}

}  // namespace headlight
