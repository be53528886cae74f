#include "engine/figure/map/value_counts.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

namespace headlight {
namespace {

constexpr std::uint32_t kShift = 23 - 11;                             // eleven bits of mantissa
constexpr std::uint32_t kFirst = (127U - 40) << (23U - kShift);       // 2^-40
constexpr std::uint32_t kLast = ((127U + 24) << (23U - kShift)) - 1;  // just below 2^24
constexpr std::size_t kBins = kLast - kFirst + 2;                     // the first one is everything below

std::size_t bin_of(float magnitude) {
  const std::uint32_t bits = std::bit_cast<std::uint32_t>(magnitude) >> kShift;
  return bits < kFirst ? 0 : std::min(bits, kLast) - kFirst + 1;
}

float begin_of(std::size_t bin) {
  return bin == 0 ? 0 : std::bit_cast<float>((static_cast<std::uint32_t>(bin) - 1 + kFirst) << kShift);
}

RankSteps ranks_of(const std::vector<ValueCounts::Entry>& entries, std::int64_t cells) {
  RankSteps steps;
  steps.begin.fill(std::numeric_limits<float>::infinity());
  if (entries.empty()) return steps;
  const auto below_last = static_cast<double>(cells - entries.back().cells);
  std::int64_t below = 0;
  for (const ValueCounts::Entry& entry : entries) {
    const double share = below_last > 0 ? static_cast<double>(below) / below_last : entry.largest > 0 ? 1 : 0;
    const auto colour = static_cast<std::size_t>(std::lround(share * 255));
    for (std::size_t i = colour + 1; i-- > 0 && std::isinf(steps.begin[i]);) steps.begin[i] = entry.least;
    for (std::size_t i = colour; i < steps.value.size(); ++i) steps.value[i] = entry.largest;
    below += entry.cells;
  }
  return steps;
}

}  // namespace

std::size_t RankSteps::colour(float magnitude) const {
  const auto* const above = std::upper_bound(begin.begin(), begin.end(), magnitude);
  return above == begin.begin() ? 0 : static_cast<std::size_t>(above - begin.begin()) - 1;
}

float ValueCounts::percentile(double percent) const {
  const double wanted = percent / 100 * static_cast<double>(cells_);
  std::int64_t reached = 0;
  for (const Entry& entry : entries_) {
    reached += entry.cells;
    if (static_cast<double>(reached) >= wanted) return entry.largest;
  }
  return entries_.empty() ? 0 : entries_.back().largest;
}

double ValueCounts::share_above(float magnitude) const {
  if (cells_ == 0) return 0;
  std::int64_t above = 0;
  for (auto entry = entries_.rbegin(); entry != entries_.rend() && entry->least > magnitude; ++entry) above += entry->cells;
  return static_cast<double>(above) / static_cast<double>(cells_);
}

ValueCounter::ValueCounter() : bins_(kBins) {}

void ValueCounter::add(float magnitude) {
  if (std::isfinite(magnitude)) add(magnitude, magnitude, 1);
}

void ValueCounter::add(const ValueCounts& counts) {
  for (const ValueCounts::Entry& entry : counts.entries()) add(entry.least, entry.largest, entry.cells);
}

void ValueCounter::add(float magnitude, float largest, std::int64_t cells) {
  Bin& bin = bins_[bin_of(std::max(magnitude, 0.0F))];
  bin.largest = std::max(bin.largest, largest);
  bin.cells += cells;
}

ValueCounts ValueCounter::finish() const {
  ValueCounts counts;
  for (std::size_t bin = 0; bin < bins_.size(); ++bin) {
    if (bins_[bin].cells == 0) continue;
    counts.entries_.push_back({begin_of(bin), bins_[bin].largest, bins_[bin].cells});
    counts.cells_ += bins_[bin].cells;
  }
  counts.ranks_ = std::make_shared<const RankSteps>(ranks_of(counts.entries_, counts.cells_));
  return counts;
}

}  // namespace headlight
