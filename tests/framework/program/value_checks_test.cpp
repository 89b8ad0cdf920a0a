#include <seam/framework/program/value_checks.hpp>

#include <support/catch.hpp>

#include <filesystem>
#include <fstream>
#include <string>

TEST_CASE("inputs are files, or have their names in a folder") {
  namespace fs = std::filesystem;
  fs::path const folder = fs::absolute("value_checks_test.inputs");
  fs::create_directories(folder / "box");
  std::ofstream("value_checks_test.first") << "here";
  for (auto const* file : {"value_checks_test.first.rle", "one.rle", "two.cells"})
    std::ofstream(folder / file) << "there";
  auto const find = seam::input_by_name(folder.string(), {".rle", ".cells"});
  CHECK(find("one") == (folder / "one.rle").string());
  CHECK(find("one.rle") == (folder / "one.rle").string());
  CHECK(find("two") == (folder / "two.cells").string());
  CHECK(find("value_checks_test.first") == "value_checks_test.first");
  for (auto const* none : {"three.rle", "", "./one", "value_checks_test.inputs"})
    CHECK(find(none) == none);
  for (std::string const unknown : {"three", "box", "on"})
    CHECK_THROWS_WITH(find(unknown), "'" + unknown +
                                         "' (expected a file, or one of one, two, "
                                         "value_checks_test.first)");
  fs::remove_all(folder);
  fs::remove("value_checks_test.first");
}
