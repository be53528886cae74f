// A line of the benchmark table: the median of some rounds, the fastest and the slowest.
#pragma once

#include <ctime>
#include <functional>
#include <string>

namespace headlight {

/// Of computing, on all threads: what others do on the machine counts less than by the clock on the wall.
double seconds_of(const auto& work) {
  const std::clock_t begin = std::clock();
  work();
  return static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
}

class Bench {
 public:
  static constexpr int kMostSeconds = 4;  ///< of a line: after them no other round begins
  explicit Bench(int rounds) : rounds_(rounds) {}
  int rounds() const { return rounds_; }

  /// Runs `prepare` and times `work`, as many times as there are rounds and time for them; prints the line, with remark(seconds of the median) at its end.
  void measure(
      const std::string& name, const std::function<void()>& work, const std::function<void()>& prepare = [] {},
      const std::function<std::string(double seconds)>& remark = {}) const;

 private:
  int rounds_;
};

}  // namespace headlight
