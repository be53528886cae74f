#include "engine/formats/file_names.h"

#include "tests/testing.h"

namespace headlight {
namespace {

TEST(FileNames, AreSortedAndCutInMessages) {
  const testing::TemporaryFolder folder;
  for (const char* name : {"c", "a", "b\x1b"}) folder.file(name, "");
  EXPECT_EQ(file_names_in(folder.path()), (std::vector<std::string>{"a", "b\x1b", "c"}));
  EXPECT_EQ(name_list(file_names_in(folder.path())), "a, b\\x1b, c");
  EXPECT_TRUE(file_names_in(folder / "absent").empty());
  EXPECT_EQ(name_list({"1", "2", "3", "4", "5", "6", "7", "8"}), "1, 2, 3, 4, 5, 6 and 2 more");
  EXPECT_EQ(name_list({}), "");
}

}  // namespace
}  // namespace headlight
