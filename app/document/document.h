// What can be undone and saved: the query, the style, the pins. A value.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "app/document/wish.h"
#include "engine/figure/style.h"
#include "engine/formats/json.h"
#include "engine/forward/query.h"

namespace headlight {

struct Document {
  Query query;
  Style style;
  std::vector<HeadId> pins;  ///< heads side by side in Compare, in the order A, B, …
  PaintedWish wish;          ///< a map that a head of the sandbox is to be taught
  bool operator==(const Document&) const = default;
};

/// Version of the JSON form. A file of a later version is refused, naming both.
inline constexpr int kDocumentVersion = 2;

/// The lowest version that can say what is in the document: an earlier Headlight opens all that it understands. 2: scopes of a stack.
int version_of(const Document& document);

/// Fields of a loaded file that this version does not know are kept in `unknown` and written back.
Json to_json(const Document& document, const Json& unknown = Json::object());
Document document_from_json(const Json& json, const std::string& file, Json* unknown = nullptr);

/// Whether a file says that it is a document, by its ending (.headlight.json) or by its first lines. Whether it is sound is not looked at.
bool names_document(const std::filesystem::path& path);

Document load_document(const std::filesystem::path& path, Json* unknown = nullptr);
/// What save_document writes.
std::string document_text(const Document& document, const Json& unknown = Json::object());
void save_document(const Document& document, const std::filesystem::path& path, const Json& unknown = Json::object());

/// The model of a first start, where it comes with the program.
inline constexpr char kFirstModel[] = "story-gpt";
/// A model on its own, with a sentence whose maps show something at once.
Document document_of_model(const std::string& model);
/// The sandbox, likewise.
Document sandbox_document();
/// The document of a first start: kFirstModel where it is there, else the sandbox.
Document first_document();

}  // namespace headlight
