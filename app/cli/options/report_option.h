// --format and -o of commands that write what they found as a table, as CSV or as JSON.
#pragma once

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>
#include <string>

namespace headlight {

/// A result in the three forms that are written.
struct WrittenReport {
  std::string table, csv;
  nlohmann::ordered_json json;
};

class ReportOption {
 public:
  explicit ReportOption(CLI::App& command);
  /// --format alone: another option's file. `output` outlives it.
  ReportOption(CLI::App& command, const std::string& output);
  /// In the form that was asked for, else the file's ending says it, else as a table. Throws Error (write).
  void write(const WrittenReport& report) const;

 private:
  void add_format(CLI::App& command);

  std::string format_, own_output_;
  const std::string* output_ = &own_output_;
};

}  // namespace headlight
