#include "engine/figure/map/map_atlas.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <optional>
#include <utility>

#include "engine/figure/map/colour_table.h"

namespace headlight {
namespace {

constexpr std::size_t kBytes = 4;                               // of a pixel
constexpr std::int64_t kPixelsOfTask = std::int64_t{1} << 17U;  // about a millisecond: less is not worth waking a thread

/// Rows of a map's place that are made by one thread.
struct Piece {
  std::size_t step = 0;
  int begin = 0, end = 0;  // counted from the map's first row
};

/// Neighbouring pieces are one task as long as they are small.
std::vector<std::vector<Piece>> tasks_of(const std::vector<PixelBox>& places) {
  std::vector<std::vector<Piece>> tasks;
  std::int64_t pixels = kPixelsOfTask;
  for (std::size_t step = 0; step < places.size(); ++step) {
    const std::int64_t width = std::max(1, places[step].width);
    const int most = static_cast<int>(std::max(std::int64_t{1}, kPixelsOfTask / width));
    for (int begin = 0; begin < places[step].height; begin += most) {
      if (pixels >= kPixelsOfTask) {
        tasks.emplace_back();
        pixels = 0;
      }
      const int end = std::min(begin + most, places[step].height);
      tasks.back().push_back({step, begin, end});
      pixels += width * (end - begin);
    }
  }
  return tasks;
}

/// The colours of the piece before, whose scale is often the same.
class Colours {
 public:
  const ColourTable& of(const AtlasMap& map) {
    if (!table_ || !table_->is_of(map.scale, map.hatch.line)) table_.emplace(map.scale, map.hatch.line, ByteOrder::bgra);
    return *table_;
  }

 private:
  std::optional<ColourTable> table_;
};

/// Calls do_piece(piece, colours) from several threads.
template <typename DoPiece>
void for_each_piece(const std::vector<PixelBox>& places, ThreadPool& pool, const DoPiece& do_piece) {
  const std::vector<std::vector<Piece>> tasks = tasks_of(places);
  pool.for_each(std::ssize(tasks), [&](Index number) {
    Colours colours;
    for (const Piece& piece : tasks[static_cast<std::size_t>(number)]) do_piece(piece, colours);
  });
}

HatchStyle hatch_of(const AtlasMap& map) {
  HatchStyle hatch = map.hatch;
  hatch.begin = map.place.x + map.place.y;
  return hatch;
}

PixelRows rows_of(const AtlasMap& map, const Piece& piece) {
  return {map.place.y + piece.begin, map.place.y + piece.end};
}

void paint(const AtlasMap& map, const Piece& piece, Colours& colours, Image& image, std::vector<float>* values) {
  paint_rows(*map.picture, map.window, colours.of(map), hatch_of(map), image, map.place, rows_of(map, piece), values);
}

bool has_same_look(const AtlasMap& a, const AtlasMap& b) {
  return a.picture == b.picture && a.place.width == b.place.width && a.place.height == b.place.height && a.window == b.window &&
         a.hatch == b.hatch && a.scale == b.scale;
}

std::size_t byte_at(const Image& image, int x, int y) {
  return (static_cast<std::size_t>(y) * static_cast<std::size_t>(image.width) + static_cast<std::size_t>(x)) * kBytes;
}

void copy_rows(const Image& from, const PixelBox& source, Image& into, const PixelBox& place, int begin, int end) {
  for (int row = begin; row < end; ++row) {
    std::memcpy(into.pixels.data() + byte_at(into, place.x, place.y + row), from.pixels.data() + byte_at(from, source.x, source.y + row),
                static_cast<std::size_t>(place.width) * kBytes);
  }
}

}  // namespace

bool MapAtlas::has_size_for(int width, int height) const {
  const bool is_enough = image_.width >= width && image_.height >= height;
  const bool is_too_much = image_.width > 2 * width || image_.height > 2 * height;
  return is_enough && !is_too_much;
}

/// As while a scale of all maps is dragged.
bool MapAtlas::differs_in_scales_alone(const std::vector<AtlasMap>& maps) const {
  return std::equal(maps.begin(), maps.end(), maps_.begin(), maps_.end(), [](const AtlasMap& a, const AtlasMap& b) {
    return a.picture == b.picture && a.window == b.window && a.hatch == b.hatch && a.place == b.place && !(a.scale == b.scale);
  });
}

bool MapAtlas::show(std::vector<AtlasMap> maps, int width, int height, ThreadPool& pool) {
  const bool has_size = has_size_for(width, height);
  if (has_size && maps == maps_) return false;
  if (has_size && differs_in_scales_alone(maps)) {
    maps_ = std::move(maps);
    recolour(pool);
    return true;
  }
  values_ = {};
  const std::vector<AtlasMap> earlier = std::exchange(maps_, std::move(maps));
  std::multimap<const MapPicture*, const AtlasMap*> known;
  for (const AtlasMap& map : earlier) known.emplace(map.picture.get(), &map);
  std::vector<Step> steps;
  bool has_moved = !has_size;
  for (const AtlasMap& map : maps_) {
    const auto [begin, end] = known.equal_range(map.picture.get());
    const auto same = std::find_if(begin, end, [&](const auto& entry) { return has_same_look(*entry.second, map); });
    steps.push_back({&map, same == end ? nullptr : same->second});
    has_moved = has_moved || (same != end && same->second->place != map.place);
  }
  if (has_moved) {
    std::swap(image_, before_);
    image_.width = has_size ? before_.width : width;
    image_.height = has_size ? before_.height : height;
    image_.pixels.resize(static_cast<std::size_t>(image_.width) * static_cast<std::size_t>(image_.height) * kBytes);
  } else {
    std::erase_if(steps, [](const Step& step) { return step.from != nullptr; });  // it is where it was
  }
  take(steps, pool);
  return true;
}

void MapAtlas::recolour(ThreadPool& pool) {
  const bool is_first = values_.empty();
  if (is_first) {
    values_.resize(image_.pixels.size() / kBytes);
    paints_ += static_cast<int>(maps_.size());
  }
  std::vector<PixelBox> places;
  for (const AtlasMap& map : maps_) places.push_back(map.place);
  for_each_piece(places, pool, [&](const Piece& piece, Colours& colours) {
    const AtlasMap& map = maps_[piece.step];
    if (is_first) {
      paint(map, piece, colours, image_, &values_);
    } else if (map.picture->rows() > 0) {
      recolour_rows(values_, colours.of(map), hatch_of(map), image_, map.place, rows_of(map, piece));
    }
  });
}

void MapAtlas::take(const std::vector<Step>& steps, ThreadPool& pool) {
  std::vector<PixelBox> places;
  for (const Step& step : steps) {
    places.push_back(step.map->place);
    paints_ += step.from == nullptr ? 1 : 0;
  }
  for_each_piece(places, pool, [&](const Piece& piece, Colours& colours) {
    const auto& [map, from] = steps[piece.step];
    if (from != nullptr) {
      copy_rows(before_, from->place, image_, map->place, piece.begin, piece.end);
    } else {
      paint(*map, piece, colours, image_, nullptr);
    }
  });
}

}  // namespace headlight
