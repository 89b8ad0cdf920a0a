#include <support/catch.hpp>
#include <support/files.hpp>
#include <support/full_disk.hpp>
#include <support/refusal.hpp>
#include <support/world.hpp>

#include <seam/exchange/agreement/mpi_collective.hpp>
#include <seam/exchange/ground/error.hpp>
#include <seam/framework/files/output_file.hpp>

#include <fcntl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>

/// What this process asks of the disk: "sync file", "rename file".
static std::vector<std::string> asked_of_disk;

// The functions of the C library, in whose place the program's own are called.
extern "C" int fsync(int file) {
  std::error_code trouble;
  auto const path = std::filesystem::read_symlink("/proc/self/fd/" + std::to_string(file), trouble);
  asked_of_disk.push_back("sync " + path.filename().string());
  return static_cast<int>(::syscall(SYS_fsync, file));
}
extern "C" int rename(char const* from, char const* to) noexcept {
  asked_of_disk.push_back("rename " + std::filesystem::path(from).filename().string());
  return static_cast<int>(::syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0));
}

namespace seam::testing {
namespace {

using Catch::Contains;
namespace fs = std::filesystem;

std::vector<fs::path> files_in(fs::path const& folder) {
  return {fs::directory_iterator(folder), fs::directory_iterator()};
}

std::string refusal(Communicator const& over, std::string const& path) {
  return refusal_of([&] { require_writable(over, path); });
}

/// The id of a process that has ended.
int ended_process() {
  auto const child = ::fork();
  if (child == 0)
    ::_exit(0);
  ::waitpid(child, nullptr, 0);
  return child;
}

/// The path with another process in place of this one.
std::string of_process(std::string path, int process) {
  auto const own = "-" + std::to_string(::getpid()) + "-";
  return path.replace(path.rfind(own), own.size(), "-" + std::to_string(process) + "-");
}

/// The path with another machine in place of this one.
std::string of_machine(std::string path, std::string const& machine) {
  std::string const mark = ".seam-";
  return path.replace(path.rfind(mark) + mark.size(), machine.size(), machine);
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
  CHECK_THAT(refusal(all, std::string(300, 'x')), Contains("File name too long"));
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
    return refusal_of([&] {
      require_outputs(all, folder / "in.csv",
                      {{"--output", at(output), ".csv"}, {"--picture", at(picture), ".png"}});
    });
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

TEST_CASE("a file is on the disk before it takes its place, and its name after that") {
  auto const over = world();
  auto const folder = fresh_folder(over, "synced");
  output_file file(over, folder / "a.txt");
  if (over.rank() == over.size() - 1)
    put(file.temporary(), "new");
  auto const temporary = fs::path(file.temporary()).filename().string();
  asked_of_disk.clear();
  file.commit();
  std::vector<std::string> expected{"sync " + temporary};
  if (over.rank() == 0)
    expected.insert(expected.end(), {"rename " + temporary, "sync synced"});
  CHECK(asked_of_disk == expected);

  asked_of_disk.clear();
  write_text(over, "text", folder / "b.txt");
  CHECK(asked_of_disk.size() == (over.rank() == 0 ? 3 : 0));
}

TEST_CASE("names may be as long as the file system takes") {
  auto const over = world();
  auto const folder = fresh_folder(over, "long_names");
  std::string letters;
  while (letters.size() + 2 <= 251)
    letters += "\u00e4";
  for (std::string const& name : {std::string(251, 'x') + ".txt", "y" + letters + ".txt"}) {
    REQUIRE(name.size() == 255);
    require_writable(over, folder / name);
    write_text(over, "whole", folder / name);
    CHECK(content_of(folder / name) == "whole");
    CHECK_THAT(refusal(over, folder / (name + "t")),
               Contains("'long_names/" + name + "t': File name too long"));
  }
  mpi::barrier(over);
  if (over.rank() == 0)
    CHECK(files_in(folder).size() == 2);
  mpi::barrier(over);
}

TEST_CASE("what killed runs left unfinished is removed, and nothing else") {
  auto const over = world();
  auto const first = fresh_folder(over, "before"), folder = fresh_folder(over, "leftovers");
  std::vector<fs::path> dead, alive;
  std::string name;
  {
    output_file const file(over, first / "u.txt");
    name = fs::path(file.temporary()).filename();
  }
  if (over.rank() == 0) {
    int const ended = ended_process();
    std::string const of_ended = of_process(name, ended);
    dead = {folder / of_ended, folder / of_machine(name, "00000000"),
            folder / (of_ended + ".data.0"), folder / (of_ended + ".metadata.13")};
    alive = {folder / of_process(name, 1),
             folder / of_machine(name, "00000001"),
             folder / "u.txt.seam-xyz-1-0.part",
             folder / "u.txt.part",
             folder / "other.seam-",
             folder / (of_process(name, 1) + ".data.0"),
             folder / (of_ended + ".data."),
             folder / (of_ended + ".data.x"),
             folder / "u.txt.part.data.0"};
    for (auto const* list : {&dead, &alive})
      for (fs::path const& path : *list)
        put(path, "half");
    fs::last_write_time(dead[1], fs::file_time_type::clock::now() - std::chrono::hours(25));
  }
  mpi::barrier(over);
  write_text(over, "whole", folder / "u.txt");
  if (over.rank() == 0) {
    for (fs::path const& path : dead)
      CHECK_FALSE(fs::exists(path));
    for (fs::path const& path : alive)
      CHECK(fs::exists(path));
    CHECK(content_of(folder / "u.txt") == "whole");
  }
  mpi::barrier(over);
}

TEST_CASE("a disk that is full is found before a computation, and leaves the old file") {
  auto const over = world();
  auto const folder = fresh_folder(over, "full");
  if (over.rank() == 0)
    put(folder / "u.txt", "old");
  mpi::barrier(over);
  {
    file_size_limit const limit(4096);
    CHECK_THAT(refusal(over, folder / "u.txt"),
               Contains("cannot write 'full/u.txt': 65536 bytes are needed: File too large"));
    CHECK_THAT(refusal_of([&] { write_text(over, std::string(10000, 'x'), folder / "u.txt"); }),
               Contains("cannot write 'full/u.txt': File too large"));
  }
  if (over.rank() == 0) {
    CHECK(content_of(folder / "u.txt") == "old");
    CHECK(files_in(folder).size() == 1);
  }
  mpi::barrier(over);
  small_disk const disk(over, folder / "disk", 128);
  if (!disk.is_there()) {
    WARN("a full disk is not tested: mounting one takes root");
    return;
  }
  require_writable(over, folder / "disk/u.txt");
  write_text(over, std::string(100000, 'x'), folder / "disk/other.txt");
  CHECK_THAT(refusal(over, folder / "disk/u.txt"),
             Contains("65536 bytes are needed: No space left on device"));
  CHECK_THAT(refusal_of([&] { write_text(over, std::string(50000, 'x'), folder / "disk/u.txt"); }),
             Contains("'full/disk/u.txt': No space left on device"));
  if (over.rank() == 0)
    CHECK(files_in(folder / "disk").size() == 1);
}

TEST_CASE("folders that take no files are refused") {
  auto const over = world();
  for (std::string const folder : {"/sys", "/proc"})
    CHECK_THAT(refusal(over, folder + "/u.txt"), Contains("cannot write '" + folder + "/u.txt': "));
}

TEST_CASE("of a series each file that is there must be one that can be replaced") {
  auto const over = world();
  auto const folder = fresh_folder(over, "series");
  auto const path = (folder / "g.png").string();
  auto const refused = [&](std::int64_t last, std::int64_t step) {
    return refusal_of([&] { require_writable_series(over, path, last, step); });
  };
  if (over.rank() == 0) {
    put(folder / "g-0000.png", "old");
    fs::create_directory(folder / "g-0030.png");
    fs::create_directory(folder / "g-12345.png");
    fs::create_directory(folder / "g-x.png");
  }
  mpi::barrier(over);
  CHECK_THAT(refused(40, 10), Contains("'series/g-0030.png': this is a directory"));
  CHECK_THAT(refused(20000, 5), Contains("this is a directory"));
  CHECK(refused(40, 20) == "nothing was thrown");
  CHECK(refused(29, 10) == "nothing was thrown");
  auto const long_name = folder / (std::string(246, 'x') + ".png");
  CHECK(refusal_of([&] { require_writable_series(over, long_name, 9999, 1); }) ==
        "nothing was thrown");
  CHECK_THAT(refusal_of([&] { require_writable_series(over, long_name, 10000, 1); }),
             Contains("-10000.png': File name too long"));
  CHECK(content_of(folder / "g-0000.png") == "old");
}

} // namespace seam::testing
