#include "app/cli/options/report_option.h"

#include "app/cli/console.h"
#include "engine/formats/json.h"

namespace headlight {

ReportOption::ReportOption(CLI::App& command) {
  add_format(command);
  command.add_option("-o,--output", own_output_, "The file to write instead of printing; .csv and .json choose the format")
      ->type_name("FILE");
}

ReportOption::ReportOption(CLI::App& command, const std::string& output) : output_(&output) {
  add_format(command);
}

void ReportOption::add_format(CLI::App& command) {
  command.add_option("--format", format_, "table, csv or json")
      ->check(CLI::IsMember({"table", "csv", "json"}).description(""))
      ->type_name("NAME");
}

void ReportOption::write(const WrittenReport& report) const {
  const auto is = [&](const std::string& form) { return format_.empty() ? output_->ends_with("." + form) : format_ == form; };
  write_result(is("csv") ? report.csv : is("json") ? json_text(report.json, 2) + "\n" : report.table, *output_);
}

}  // namespace headlight
