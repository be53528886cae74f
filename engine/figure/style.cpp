#include "engine/figure/style.h"

#include "engine/core/enumeration.h"

namespace headlight {
namespace {

constexpr Colour rgb(std::uint32_t hex) {
  return {static_cast<std::uint8_t>(hex >> 16U), static_cast<std::uint8_t>(hex >> 8U), static_cast<std::uint8_t>(hex)};
}

constexpr Palette kDark = {
    .ground = rgb(0x131519),
    .panel = rgb(0x191c21),
    .raised = rgb(0x20242b),
    .line = rgb(0x2b303a),
    .text = rgb(0xe8eaee),
    .text_second = rgb(0x98a1b0),
    .text_third = rgb(0x858c97),
    .accent = rgb(0x5aa2f5),
    .query = rgb(0xf0b24a),
    .key = rgb(0x45c2d6),
    .value = rgb(0xab8df2),
    .bad = rgb(0xef6b6b),
    .good = rgb(0x57c785),
    .hatch = rgb(0x656c77),
    .hatch_ground = rgb(0x191c21),
};

constexpr Palette kLight = {
    .ground = rgb(0xf4f5f7),
    .panel = rgb(0xffffff),
    .raised = rgb(0xeef0f3),
    .line = rgb(0xd9dde4),
    .text = rgb(0x1b1f27),
    .text_second = rgb(0x586172),
    .text_third = rgb(0x676d77),
    .accent = rgb(0x1e6bcf),
    .query = rgb(0x996106),
    .key = rgb(0x0c7889),
    .value = rgb(0x6b49c7),
    .bad = rgb(0xc63a3a),
    .good = rgb(0x197d45),
    .hatch = rgb(0x828996),
    .hatch_ground = rgb(0xeef0f3),
};

}  // namespace

std::string_view name_of(RangeKind kind) {
  static constexpr Names<RangeKind> kNames{"unit", "head", "layer", "fixed"};
  return kNames[kind];
}

std::string_view name_of(Among among) {
  static constexpr Names<Among> kNames{"head", "layer", "model"};
  return kNames[among];
}

std::string_view name_of(Hiding hiding) {
  static constexpr Names<Hiding> kNames{"raw", "renormalise"};
  return kNames[hiding];
}

const Palette& palette(Theme theme) {
  return theme == Theme::dark ? kDark : kLight;
}

}  // namespace headlight
