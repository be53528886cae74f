#include "engine/figure/files/numbers_digest.h"

#include <fmt/core.h>

#include <array>
#include <bit>
#include <cstdint>
#include <span>

#include "engine/figure/files/number_cells.h"
#include "engine/figure/files/written_maps.h"
#include "engine/formats/digest.h"

namespace headlight {
namespace {

static_assert(std::endian::native == std::endian::little, "numbers are hashed as they lie in memory");

class NumbersDigest {
 public:
  void add(const std::string& line, const Matrix& values) {
    sha_.add(std::as_bytes(std::span(line)));
    const std::array<std::uint64_t, 2> shape{static_cast<std::uint64_t>(values.rows()), static_cast<std::uint64_t>(values.cols())};
    sha_.add(std::as_bytes(std::span(shape)));
    sha_.add(std::as_bytes(std::span(values.data(), static_cast<std::size_t>(values.size()))));
  }
  std::string hex() { return sha_.hex(); }

 private:
  Digest sha_ = Digest::sha256();
};

/// What a map is of, as a line of JSON.
std::string line_of(const Snapshot& run, const ComparedHead& head, Stage stage) {
  const int layer = head.head.layer;
  const bool has_keys = row_of(stage).columns == MapColumns::keys;
  return fmt::format("{{{}, \"subject\": {}, \"stage\": \"{}\", \"queries\": {}, \"keys\": {}}}\n", head_in_json(run, head.head),
                     in_json(head.subject), name_of(stage), in_json(tokens_of(run, run.query_tokens(layer))),
                     has_keys ? in_json(tokens_of(run, run.key_tokens(layer))) : "null");
}

/// Columns have numbers of double precision: as text, with every digit.
void add_columns(NumbersDigest& digest, const Snapshot& snapshot, const MeasuredHeads& heads) {
  digest.add(fmt::format("{{{}}}\n", texts_in_json(snapshot, " ")), Matrix());
  for (const auto& column : heads.columns) {
    std::string line = fmt::format("{{\"column\": {}", in_json(Json(column->id)));
    for (const HeadId head : heads.rows) line += fmt::format(", \"{}.{}\": {}", head.layer, head.head, column->values.of(head));
    digest.add(line + "}\n", Matrix());
  }
}

void add_tables(NumbersDigest& digest, const Snapshot& snapshot, const FigureRequest& request, std::span<const NumberTable> tables) {
  const HeadId head = request.kind->needs.has_head ? request.head : HeadId{};  // of all heads: whichever is looked at beside them
  digest.add(fmt::format("{{{}}}\n", texts_in_json(snapshot, " ") + head_in_json(snapshot, head)), Matrix());
  for (const NumberTable& table : tables) digest.add(fmt::format("{{\"number\": {}}}\n", in_json(table.name)), table.values);
}

/// Likewise, and what they are of.
void add_list(NumbersDigest& digest, const Snapshot& snapshot, const NumberList& list) {
  digest.add(fmt::format("{{{} \"what\": {}}}\n", texts_in_json(snapshot, " "), in_json(Json(list.what))), Matrix());
  for (const std::vector<ListCell>& line : list.lines) digest.add(line_in_json(list, line) + "\n", Matrix());
}

/// Single precision as it lies in memory, double precision as text.
void add_named(NumbersDigest& digest, const Snapshot& snapshot, const std::vector<NamedNumbers>& parts) {
  digest.add(fmt::format("{{{}}}\n", texts_in_json(snapshot, " ")), Matrix());
  for (const NamedNumbers& part : parts) {
    std::string line = fmt::format("{{\"part\": {}, \"rows\": {}, \"columns\": {}", in_json(Json(part.name)), in_json(Json(part.rows)),
                                   in_json(Json(part.columns)));
    for (const double number : part.exact) line += fmt::format(", {}", number);
    digest.add(line + "}\n", part.values);
  }
}

}  // namespace

std::string numbers_digest(const Snapshot& snapshot, const FigureRequest& request, bool is_drawn) {
  const FigureNumbers& numbers = request.kind->numbers;
  NumbersDigest digest;
  if (is_drawn && numbers.pictured) {
    add_tables(digest, snapshot, request, numbers.pictured(snapshot, request));
  } else if (numbers.derived) {
    const DerivedMap map = numbers.derived(snapshot, request);
    digest.add(fmt::format("{{{} \"derived\": {}}}\n", texts_in_json(snapshot, " "), in_json(Json(map.what))), map.values);
  } else if (numbers.list) {
    add_list(digest, snapshot, numbers.list(snapshot, request));
  } else if (numbers.named) {
    add_named(digest, snapshot, numbers.named(snapshot, request));
  } else if (numbers.columns) {
    add_columns(digest, snapshot, numbers.columns(snapshot, request));
  } else if (numbers.tables) {
    add_tables(digest, snapshot, request, numbers.tables(snapshot, request));
  } else if (numbers.heads) {
    for (const WrittenMap& map : written_maps(snapshot, request))
      digest.add(line_of(run_of(map.head, snapshot), map.head, shown_stage(request)), values_of(snapshot, request, map));
  } else {
    return {};
  }
  return digest.hex();
}

}  // namespace headlight
