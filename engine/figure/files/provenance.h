// How a figure was made, as its own file says it: enough to make it again, and to tell whether file, weights or program have changed since.
// A value; what is in it is the same for the same figure: no time, no machine, no path.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/figure/map/map_picture.h"
#include "engine/formats/json.h"

namespace headlight {

/// A model that a figure is of.
struct FigureModel {
  std::string name;    ///< as documents have it, without the folders of a path
  std::string sha256;  ///< of its weights (weights_digest.h), or of a file of maps; empty: random weights from a seed
  bool operator==(const FigureModel&) const = default;
};

struct Provenance {
  std::string version = {};              ///< of the program
  std::string command = {};              ///< makes the file again
  std::vector<FigureModel> models = {};  ///< each once
  Json document = {};                    ///< texts, edits and style, as a document has them (app/document): only those that the figure uses
  Json figure = {};                      ///< its kind and what was chosen for it (app/recipe)
  // Of the file, set when it is written:
  float pixels_per_point = 0;       ///< of a PNG; else 0
  bool has_titles = false;          ///< of an SVG: FigureOutput::has_titles
  std::string numbers_sha256 = {};  ///< numbers_digest; empty: the figure has none
  std::string type_sha256 = {};     ///< of a picture: type_digest, which tells whether its letters can be drawn here as they were there
  std::string picture_sha256 = {};  ///< the file's seal, empty where it has none: the sum of a PNG's pixels; of other pictures, of
                                    ///< the file with 64 zeros in place of this; of numbers, of all but how they were made
  bool operator==(const Provenance&) const = default;
};

inline constexpr std::string_view kRecordFormat = "headlight-figure";
inline constexpr int kRecordVersion = 1;
/// In place of Provenance::picture_sha256 while it is being computed.
inline constexpr std::string_view kUnsealed = "0000000000000000000000000000000000000000000000000000000000000000";

/// One line of JSON in ASCII, the same for equal values.
std::string to_text(const Provenance& provenance);
/// Reads it from an untrusted file. The document and the figure are objects, and no more is known of them. Throws Error (input).
Provenance provenance_from(std::string_view text, const std::string& file);

/// SHA-256 in hexadecimal digits: of bytes; of a picture, its size and its pixels.
std::string sha256_of(std::string_view bytes);
std::string pixels_sha256(const Image& image);
/// That of a file's bytes with zeros in place of its own picture_sha256, `seal`.
std::string unsealed_sha256(std::string bytes, std::string_view seal);
/// `bytes` with their own sum in place of kUnsealed; as they are where that does not occur.
std::string sealed(std::string bytes);

}  // namespace headlight
