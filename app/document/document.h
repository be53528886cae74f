// What can be undone and saved: one or more subjects, the style, the pins. A value.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "app/document/drawn_map.h"
#include "app/document/subject.h"
#include "engine/figure/style.h"
#include "engine/formats/json.h"
#include "engine/forward/query.h"
#include "engine/targets/target.h"

namespace headlight {

/// Subjects are added, removed, frozen and focused by the functions of subjects.h, which keep these rules: ids differ, the
/// focused subject is not frozen, the baseline is, and every pin is a head of a subject that is there.
struct Document {
  Query query;                       ///< of the focused subject: what every panel shows and edits
  int focused = 1;                   ///< its id
  std::vector<Subject> others = {};  ///< the subjects beside it, by ascending id
  std::optional<int> baseline = {};  ///< id of a frozen subject: "before"
  Style style;
  std::vector<Pin> pins;  ///< heads side by side in Compare, in the order A, B, …
  Target target;          ///< what is watched while heads are edited
  DrawnMap drawn_map;     ///< of the focused subject: a map that a head of the sandbox should learn
  bool operator==(const Document&) const = default;
};

/// Version of the JSON form. A file of a later version is refused, naming both.
inline constexpr int kDocumentVersion = 4;

/// The lowest version that can express what is in the document, so that an earlier Headlight opens all that it understands. 2: scopes of
/// a stack. 3: several subjects; heads that are switched off, under their present name. 4: interventions.
int version_of(const Document& document);

/// A document of one subject is written in version 1 or 2, without the subject's id, which is 1 when the file is read.
/// Fields of a loaded file that this version does not know are kept in `unknown` and written back.
Json to_json(const Document& document, const Json& unknown = Json::object());
Document document_from_json(const Json& json, const std::string& file, Json* unknown = nullptr);

/// A document's file may say what was looked at when it was saved, in a section of its own. It is the window's: read and written there
/// (app/gui/panel/saved_view.h), carried here among the unknown fields, and no part of what is undone.
inline constexpr char kLookField[] = "look";
/// Likewise the digest of the weights that the document was saved with (app/session/weights_shelf.h), of the model that it names.
inline constexpr char kWeightsField[] = "weights";

/// Whether a file says that it is a document, by its ending (.headlight.json) or by its first lines. Does not check whether it is sound.
bool names_document(const std::filesystem::path& path);
/// What a person calls a file: its name without ".headlight.json".
std::string document_name(const std::filesystem::path& file);
/// `path` with the ending of documents, if it has none of a document's.
std::filesystem::path with_document_ending(std::filesystem::path path);

Document load_document(const std::filesystem::path& path, Json* unknown = nullptr);
/// What save_document writes.
std::string document_text(const Document& document, const Json& unknown = Json::object());
void save_document(const Document& document, const std::filesystem::path& path, const Json& unknown = Json::object());

/// The model of a first start, where it comes with the program.
inline constexpr char kFirstModel[] = "story-gpt";
/// A model with a sentence whose maps show something at once.
Document document_of_model(const std::string& model);
/// The sandbox, with such a sentence.
Document sandbox_document();
/// The document of a first start: kFirstModel if it is there, else the sandbox.
Document first_document();

}  // namespace headlight
