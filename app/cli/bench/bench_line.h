// A line of the benchmark table: the median of some rounds, the fastest and the slowest.
#pragma once

#include <functional>
#include <string>

namespace headlight {

class Bench {
 public:
  static constexpr int kMostSeconds = 4;  ///< of a line: after them no other round begins
  explicit Bench(int rounds) : rounds_(rounds) {}

  /// Runs `prepare` and times `work`, as many times as there are rounds and time for them; prints the line, with remark(seconds of the median) at its end.
  void measure(
      const std::string& name, const std::function<void()>& work, const std::function<void()>& prepare = [] {},
      const std::function<std::string(double seconds)>& remark = {}) const;

 private:
  int rounds_;
};

}  // namespace headlight
