// A hash table of positions: the entries themselves are in an array that belongs to the owner, in any form. Large vocabularies load several
// times faster than into std::unordered_map, which allocates a node for each entry.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace headlight {

/// Open addressing with linear probing, at most half full. Sized once, by entries that exist.
class FlatIndex {
 public:
  static constexpr std::uint32_t kNone = 0xFFFFFFFF;

  explicit FlatIndex(std::size_t entries = 0) {
    std::size_t slots = 4;
    while (slots < 2 * entries) slots *= 2;
    slots_.resize(slots);
  }

  /// The position that was inserted with this hash and for which is_equal(position) holds; kNone when there is none.
  template <typename IsEqual>
  std::uint32_t find(std::uint64_t hash, IsEqual is_equal) const {
    return slots_[slot_of(hash, is_equal)].position;
  }

  /// Inserts `position` unless an equal one is there. Returns the one that is there now, and whether it is new. No more entries may be
  /// inserted than were stated at construction.
  template <typename IsEqual>
  std::pair<std::uint32_t, bool> insert(std::uint64_t hash, std::uint32_t position, IsEqual is_equal) {
    Slot& slot = slots_[slot_of(hash, is_equal)];
    if (slot.position != kNone) return {slot.position, false};
    slot = {position, tag_of(hash)};
    return {position, true};
  }

  /// Inserts `position`, replacing an equal one, which is returned; kNone: there was none.
  template <typename IsEqual>
  std::uint32_t replace(std::uint64_t hash, std::uint32_t position, IsEqual is_equal) {
    Slot& slot = slots_[slot_of(hash, is_equal)];
    const std::uint32_t earlier = slot.position;
    slot = {position, tag_of(hash)};
    return earlier;
  }

  /// Spreads the bits of a number over all 64 (the finalizer of MurmurHash3).
  static std::uint64_t hash_of(std::uint64_t key) {
    key = (key ^ (key >> 33U)) * 0xFF51AFD7ED558CCDU;
    key = (key ^ (key >> 33U)) * 0xC4CEB9FE1A85EC53U;
    return key ^ (key >> 33U);
  }

 private:
  struct Slot {
    std::uint32_t position = kNone;
    std::uint32_t tag = 0;  // the upper half of the hash: most unequal entries are skipped without a look at them
  };
  static std::uint32_t tag_of(std::uint64_t hash) { return static_cast<std::uint32_t>(hash >> 32U); }

  template <typename IsEqual>
  std::size_t slot_of(std::uint64_t hash, IsEqual is_equal) const {
    const std::size_t mask = slots_.size() - 1;
    std::size_t at = hash & mask;
    while (slots_[at].position != kNone && (slots_[at].tag != tag_of(hash) || !is_equal(slots_[at].position))) at = (at + 1) & mask;
    return at;
  }

  std::vector<Slot> slots_;
};

}  // namespace headlight
