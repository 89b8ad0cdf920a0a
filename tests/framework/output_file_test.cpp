#include <support/catch.hpp>
#include <support/world.hpp>

#include <seam/exchange/error.hpp>
#include <seam/exchange/mpi/collective.hpp>
#include <seam/framework/output_file.hpp>

#include <filesystem>
#include <fstream>
#include <iterator>

namespace seam::testing {
namespace {

using Catch::Matchers::Contains;
namespace fs = std::filesystem;

/// An empty folder that all ranks may use, made by rank 0.
fs::path fresh_folder(Communicator const& over, char const* name) {
  if (over.rank() == 0) {
    fs::remove_all(name);
    fs::create_directory(name);
  }
  mpi::barrier(over);
  return name;
}

void put(fs::path const& path, std::string const& text) { std::ofstream(path) << text; }

std::string content_of(fs::path const& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::vector<fs::path> files_in(fs::path const& folder) {
  return {fs::directory_iterator(folder), fs::directory_iterator()};
}

std::string refusal(Communicator const& over, std::string const& path) {
  try {
    require_writable(over, path);
  } catch (usage_error const& problem) {
    CHECK(problem.on_all_ranks());
    return problem.what();
  }
  return "nothing was thrown";
}

} // namespace

TEST_CASE("a file takes its place when it is committed, whoever wrote it") {
  auto const all = world();
  fs::path const folder = fresh_folder(all, "commit"), path = folder / "file.txt";
  int const writer = GENERATE(0, 1);
  if (writer >= all.size())
    return;
  if (all.rank() == 0)
    put(path, "old");

  output_file file(all, path);
  if (all.rank() == writer)
    put(file.temporary(), "new");
  mpi::barrier(all);
  if (all.rank() == 0)
    CHECK(content_of(path) == "old");
  mpi::barrier(all);
  file.commit();
  if (all.rank() == 0) {
    CHECK(content_of(path) == "new");
    CHECK(files_in(folder).size() == 1);
  }
  mpi::barrier(all);
}

TEST_CASE("a file that is not committed leaves no trace") {
  auto const all = world();
  fs::path const folder = fresh_folder(all, "dropped"), path = folder / "file.txt";
  if (all.rank() == 0)
    put(path, "old");
  {
    output_file const file(all, path);
    mpi::barrier(all);
    CHECK(fs::exists(file.temporary()));
    mpi::barrier(all);
  }
  require_writable(all, folder / "other.txt");
  if (all.rank() == 0) {
    CHECK(content_of(path) == "old");
    CHECK(files_in(folder) == std::vector{path});
  }
  mpi::barrier(all);
}

TEST_CASE("a link stays a link: its target is replaced") {
  auto const all = world();
  fs::path const folder = fresh_folder(all, "links");
  if (all.rank() == 0) {
    fs::create_directory(folder / "there");
    put(folder / "there" / "target.txt", "old");
    fs::create_symlink("there/target.txt", folder / "link.txt");
  }
  output_file file(all, folder / "link.txt");
  if (all.rank() == 0)
    put(file.temporary(), "new");
  file.commit();
  if (all.rank() == 0) {
    CHECK(fs::is_symlink(folder / "link.txt"));
    CHECK(content_of(folder / "there" / "target.txt") == "new");
  }
  mpi::barrier(all);
}

TEST_CASE("places where no file can be written are refused with the reason") {
  auto const all = world();
  fs::path const folder = fresh_folder(all, "refused_places");
  CHECK_THAT(refusal(all, folder / "no" / "file"),
             Contains("refused_places/no/file") && Contains("No such file or directory"));
  CHECK_THAT(refusal(all, folder), Contains("this is a directory"));
  CHECK_THAT(refusal(all, folder.string() + "/"), Contains("names no file"));
  CHECK_THAT(refusal(all, ""), Contains("names no file"));
  CHECK_THAT(refusal(all, "/dev/null"), Contains("not a regular file"));
  CHECK_THAT(refusal(all, std::string(300, 'x')), Contains("name too long"));
  if (all.rank() == 0)
    CHECK(files_in(folder).empty());
}

TEST_CASE("programs neither write over their input nor twice into one file") {
  auto const all = world();
  fs::path const folder = fresh_folder(all, "outputs");
  if (all.rank() == 0) {
    fs::create_directory(folder / "deep");
    put(folder / "in.csv", "1,2,3");
    fs::create_symlink("in.csv", folder / "link.csv");
    fs::create_hard_link(folder / "in.csv", folder / "hard.csv");
  }
  mpi::barrier(all);
  auto const said = [&](char const* output, char const* picture) -> std::string {
    auto const at = [&](char const* name) {
      return *name == '\0' ? std::string() : (folder / name).string();
    };
    try {
      require_outputs(all, folder / "in.csv",
                      {{"--output", at(output), ".csv"}, {"--picture", at(picture), ".png"}});
    } catch (usage_error const& problem) {
      CHECK(problem.on_all_ranks());
      return problem.what();
    }
    return "nothing was thrown";
  };
  for (char const* input : {"in.csv", "./in.csv", "deep/../in.csv", "link.csv", "hard.csv"})
    CHECK_THAT(said(input, ""), Contains("--output: '") && Contains("is the input"));
  CHECK_THAT(said("u.png", ""), Contains("the suffix of") && Contains("(expected .csv)"));
  CHECK_THAT(said("", "u.csv"), Contains("--picture: the suffix of"));
  CHECK_THAT(said("no/u.csv", ""), Contains("No such file or directory"));
  CHECK(said("u.csv", "u.png") == "nothing was thrown");
  CHECK(said("", "") == "nothing was thrown");
  CHECK_THROWS_WITH(require_outputs(all, "",
                                    {{"--output", folder / "same.x", ".x"},
                                     {"--picture", folder / "deep/../same.x", ".x"}}),
                    Contains("is the file of --output"));
  CHECK(content_of(folder / "in.csv") == "1,2,3");
  mpi::barrier(all);
}

TEST_CASE("the files of a series are numbered before their suffix") {
  CHECK(numbered_path("life.png", 1) == "life-0001.png");
  CHECK(numbered_path("out.d/life.png", 12345) == "out.d/life-12345.png");
  CHECK(numbered_path("/a/b.c/life", 17) == "/a/b.c/life-0017");
}

TEST_CASE("a text becomes a file, rank 0's") {
  auto const over = world();
  auto const path = fresh_folder(over, "text") / "a.txt";
  write_text(over, over.rank() == 0 ? "one\ntwo\n" : "nobody asked", path);
  CHECK(content_of(path) == "one\ntwo\n");
}

} // namespace seam::testing
