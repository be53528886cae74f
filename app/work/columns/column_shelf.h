// Columns of heads from elsewhere than the shown text: corpora that were measured, questions that were answered, files of one's own.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "engine/measures/columns/head_column.h"

namespace headlight {

/// What measures can be measured on in place of the shown text: a corpus, say. The window switches between them.
struct ColumnSource {
  std::string id = {};     ///< "corpus"; one of its kind
  std::string title = {};  ///< of the switch: "corpus stories.txt"
  std::string note = {};   ///< said above the table: "24 heads on 1,000 texts of stories.txt, 13,204 tokens"
  HeadColumns columns = {};
};

/// Thread contract: the UI thread only.
class ColumnShelf {
 public:
  /// Adds a source, or replaces the one with this id; sources keep the order in which they came.
  void set_source(ColumnSource source);
  void remove_source(std::string_view id);
  const std::vector<ColumnSource>& sources() const { return sources_; }
  /// Null: there is none.
  const ColumnSource* source(std::string_view id) const;

  /// The columns of a group ("questions", "imported"), which the table has whatever the source; none: removes the group.
  void set_group(const std::string& group, HeadColumns columns);
  const HeadColumns& group(const std::string& group) const;
  /// Of all groups, by name.
  HeadColumns grouped() const;

 private:
  std::vector<ColumnSource> sources_;
  std::map<std::string, HeadColumns> groups_;
};

}  // namespace headlight
