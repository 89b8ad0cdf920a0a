#include <support/catch.hpp>
#include <support/damaged_files.hpp>
#include <support/files.hpp>
#include <support/full_disk.hpp>
#include <support/stderr_of.hpp>
#include <support/world.hpp>

#include <seam/framework/checkpoint/checkpoint.hpp>
#include <seam/framework/checkpoint/checkpoint_file.hpp>
#include <seam/framework/checkpoint/checkpoints.hpp>
#include <seam/framework/files/output_file.hpp>
#include <seam/framework/program/last_words.hpp>

#include <hdf5.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <random>
#include <string>

// HDF5 1.10 forgets headers of objects that it could not read or write. LeakSanitizer asks for what is not
// to be reported.
extern "C" char const* __lsan_default_suppressions();
char const* __lsan_default_suppressions() { return "leak:libhdf5"; }

namespace seam::testing {
namespace {

using Catch::Contains;
namespace fs = std::filesystem;

/// Runs `act` on rank 0 between barriers.
template <class Act>
void on_rank_0(Communicator const& over, Act const& act) {
  mpi::barrier(over);
  if (over.rank() == 0)
    act();
  mpi::barrier(over);
}

grid_options<2> const shape{.cells = {19, 23}, .periodic = {true, false}};

struct saved_state {
  explicit saved_state(Communicator const& over, grid_options<2> const& options = shape)
      : grid(over, options), u(grid.field<double>("u")) {}
  Grid<2> grid;
  Field<double, 2> u;
};

/// Saves fields full of 1 and 2 in files number 1 and 2.
fs::path save_two(Communicator const& all, char const* folder) {
  fs::path const path = fresh_folder(all, folder) / "run.h5";
  saved_state state(all);
  for (double const value : {1.0, 2.0}) {
    state.u.fill(value);
    save(all, path, state.u);
  }
  return path;
}

double value_loaded(Communicator const& all, fs::path const& path) {
  saved_state state(all);
  load(all, path, state.u);
  double const first = state.u.view()(0, 0);
  for_each_cell(state.u.owned(), [&, u = state.u.view()](auto const& at) {
    if (u[at] != first)
      throw error("the field has different values");
  });
  return first;
}

std::string refusal_of_load(Communicator const& all, fs::path const& path,
                            grid_options<2> const& options) {
  saved_state state(all, options);
  return outcome_of([&] { load(all, path, state.u); });
}

void set_version(fs::path const& path, std::int64_t version) {
  hid_t const file = H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
  hid_t const attribute = H5Aopen(file, "Version", H5P_DEFAULT);
  H5Awrite(attribute, H5T_NATIVE_INT64, &version);
  H5Aclose(attribute);
  H5Fclose(file);
}

/// A state of more arrays than HDF5 lists in a group's header by itself.
struct many_numbers {
  static constexpr int count = 20;
  many_numbers() {
    for (int k = 0; k < count; ++k)
      arrays.push_back(seam::detail::stored_value(
          "number-" + std::to_string(k), reinterpret_cast<std::byte*>(&numbers[std::size_t(k)]),
          seam::detail::element_format_of<int>()));
  }
  many_numbers(many_numbers const&) = delete;
  many_numbers& operator=(many_numbers const&) = delete;

  std::array<int, count> numbers{};
  std::vector<seam::detail::stored_array> arrays;
};

/// Moves the list of arrays to where HDF5 keeps long ones by itself.
void write_list_as_before(fs::path const& path,
                          std::vector<seam::detail::stored_array> const& arrays) {
  hid_t const file = H5Fopen(path.c_str(), H5F_ACC_RDWR, seam::detail::checkpoint_access());
  H5Gclose(H5Gcreate2(file, "list", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  for (auto const& array : arrays)
    H5Lmove(file, ("/state/" + array.name).c_str(), file, ("/list/" + array.name).c_str(),
            H5P_DEFAULT, H5P_DEFAULT);
  H5Ldelete(file, "state", H5P_DEFAULT);
  H5Lmove(file, "list", file, "state", H5P_DEFAULT, H5P_DEFAULT);
  H5Fclose(file);
}

} // namespace

TEST_CASE("a flipped bit anywhere leaves the state as it was saved, or the one before") {
  auto const all = world();
  fs::path const path = save_two(all, "flipped");
  std::string const newest = numbered_path(path, 2), whole = content_of(newest);
  mpi::barrier(all);
  std::mt19937_64 random(11);
  int num_older = 0;
  for (int flip = 0; flip < 60; ++flip) {
    std::string damaged = whole;
    std::size_t const byte = random() % whole.size();
    auto const bit = static_cast<unsigned>(random() % 8);
    damaged[byte] = static_cast<char>(static_cast<unsigned char>(damaged[byte]) ^ 1U << bit);
    CAPTURE(byte, bit);
    on_rank_0(all, [&] { put(newest, damaged); });
    double value = 0;
    std::string line;
    stderr_of([&] { line = outcome_of([&] { value = value_loaded(all, path); }); });
    REQUIRE(line.empty());
    REQUIRE((value == 1 || value == 2));
    num_older += value == 1 ? 1 : 0;
  }
  CHECK(num_older > 0);
}

TEST_CASE("of many arrays, too, a flipped bit in their list leaves one of two states") {
  auto const all = world();
  fs::path const path = fresh_folder(all, "many") / "run.h5";
  many_numbers state;
  auto& numbers = state.numbers;
  auto const& arrays = state.arrays;
  for (int const value : {1, 2}) {
    numbers.fill(value);
    seam::detail::save_checkpoint(all, path, arrays);
  }
  std::string const newest = numbered_path(path, 2), whole = content_of(newest);
  mpi::barrier(all);
  std::vector<std::size_t> places; // in the names of the list, and around them
  for (auto at = whole.find("number-"); at != whole.npos; at = whole.find("number-", at + 1))
    places.insert(places.end(), {at - 3, at + 2});
  REQUIRE(places.size() >= 2 * many_numbers::count);
  for (std::size_t const byte : places) {
    CAPTURE(byte);
    std::string damaged = whole;
    damaged[byte] = static_cast<char>(damaged[byte] ^ 1);
    on_rank_0(all, [&] { put(newest, damaged); });
    std::string line;
    numbers.fill(0);
    stderr_of([&] {
      line = outcome_of([&] { seam::detail::load_checkpoint(all, path, "", arrays); });
    });
    REQUIRE(line.empty());
    CHECK(numbers.back() == 1);
  }
}

TEST_CASE("a checkpoint whose list of arrays an older seam has written is refused as one") {
  auto const all = world();
  fs::path const path = fresh_folder(all, "older") / "run.h5";
  many_numbers state;
  seam::detail::save_checkpoint(all, path, state.arrays);
  on_rank_0(all, [&] { write_list_as_before(numbered_path(path, 1), state.arrays); });
  CHECK_THAT(
      outcome_of([&] { seam::detail::load_checkpoint(all, path, "", state.arrays); }),
      Contains("'older/run-0001.h5' was written by an older seam: its list of 20 arrays has no "
               "checksum"));
}

TEST_CASE("a truncated file is passed over") {
  auto const all = world();
  fs::path const path = save_two(all, "truncated");
  std::string const newest = numbered_path(path, 2), whole = content_of(newest);
  mpi::barrier(all);
  for (std::size_t const length :
       {std::size_t{0}, std::size_t{100}, whole.size() / 2, whole.size() - 1}) {
    CAPTURE(length);
    on_rank_0(all, [&] { put(newest, whole.substr(0, length)); });
    std::string const said = stderr_of([&] { CHECK(value_loaded(all, path) == 1); });
    if (all.rank() == 0) {
      CHECK_THAT(said, Contains("run-0002.h5' is damaged"));
      CHECK_THAT(said, Contains("run-0001.h5' is taken instead"));
    }
  }
  on_rank_0(all, [&] { put(numbered_path(path, 1), "no HDF5"); });
  std::string line;
  stderr_of([&] { line = refusal_of_load(all, path, shape); });
  CHECK_THAT(line, Contains("run-0001.h5' is damaged"));
}

TEST_CASE("a checkpoint of another state is refused in one line") {
  auto const all = world();
  fs::path const path = save_two(all, "other");
  CHECK_THAT(refusal_of_load(all, path, {.cells = {19, 24}, .periodic = {true, false}}),
             Contains("run-0002.h5' has in 'u' float64 on the cells of a grid of 19x23 cells"));
  CHECK_THAT(refusal_of_load(all, path, {.cells = {19, 23}}),
             Contains("(expected") && Contains("not periodic"));
  saved_state state(all);
  auto as_float = state.grid.field<float>("u");
  CHECK_THAT(outcome_of([&] { load(all, path, as_float); }), Contains("(expected float32"));
  auto v = state.grid.field<double>("v");
  CHECK_THAT(outcome_of([&] { load(all, path, state.u, v); }),
             Contains("has no 'v'") && Contains("found 'u'"));
  on_rank_0(all, [&] { set_version(numbered_path(path, 2), 7); });
  CHECK_THAT(refusal_of_load(all, path, shape), Contains("has format 7 (expected at most 1"));
}

TEST_CASE("a program refuses the checkpoint of another one, whose fields may have the same names") {
  auto const all = world();
  fs::path const path = save_two(all, "foreign");
  saved_state state(all);
  state.u.fill(7);
  auto const arrays = seam::detail::all_stored(state.u);
  auto const line =
      outcome_of([&] { seam::detail::load_checkpoint(all, path, "seam-gray-scott", arrays); });
  CHECK_THAT(line,
             Contains("run-0002.h5' is of ") && Contains("(expected one of seam-gray-scott)"));
  CHECK(state.u.view()(0, 0) == 7);
}

TEST_CASE("files that are no checkpoints, and none at all, are refused") {
  auto const all = world();
  fs::path const folder = fresh_folder(all, "none"), path = folder / "run.h5";
  CHECK_THAT(
      refusal_of_load(all, path, shape),
      Contains("there is no 'none/run.h5' (expected this file, or 'none/run-0001.h5' and so on)"));
  fs::path const file = folder / "run-0007.h5";
  CHECK_THAT(refusal_of_load(all, file, shape), Contains("there is no 'none/run-0007.h5'"));
  on_rank_0(all, [&] {
    H5Fclose(H5Fcreate(numbered_path(path, 3).c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT));
  });
  CHECK_THAT(refusal_of_load(all, path, shape), Contains("is no checkpoint of seam"));
}

TEST_CASE("states that cannot be saved are refused before anything is written") {
  auto const all = world();
  fs::path const folder = fresh_folder(all, "refused"), path = folder / "run.h5";
  saved_state state(all);
  CHECK_THAT(outcome_of([&] { save(all, path, state.u, state.u); }),
             Contains("two states are named 'u'"));
  if (int rank = all.rank(); all.size() > 1)
    CHECK_THAT(outcome_of([&] { save(all, path, value("rank", rank)); }),
               Contains("checkpoint: values"));
  int number = 1;
  CHECK_THAT(outcome_of([&] { save(all, path, value("a/b", number)); }), Contains("'a/b'"));
  mpi::barrier(all);
  CHECK(fs::is_empty(folder));
}

TEST_CASE("files of an earlier run are not added to, unless they have been loaded") {
  auto const all = world();
  fs::path const folder = fresh_folder(all, "earlier"), earlier = folder / "other.h5";
  fs::path const path = folder / "run.h5";
  int number = 5;
  save(all, earlier, value("number", number));
  mpi::barrier(all);
  on_rank_0(all, [&] { fs::rename(numbered_path(earlier, 1), numbered_path(path, 1)); });
  CHECK_THAT(outcome_of([&] { save(all, path, value("number", number)); }),
             Contains("run-0001.h5' is of an earlier run (expected load() of"));
  load(all, path, value("number", number));
  CHECK(save(all, path, value("number", number)) == numbered_path(path, 2));
}

TEST_CASE("a full disk keeps the checkpoint that is there") {
  auto const all = world();
  small_disk const disk(all, fs::absolute("small"), 200);
  if (!disk.is_there())
    return;
  fs::path const path = fs::absolute("small") / "run.h5";
  int number = 5;
  save(all, path, value("number", number));
  Grid<2> const grid(all, {.cells = {300, 300}});
  auto large = grid.field<double>("large");
  CHECK_THAT(outcome_of([&] { save(all, path, large); }), Contains("No space left"));
  number = 0;
  load(all, path, value("number", number));
  CHECK(number == 5);
  mpi::barrier(all);
  CHECK(std::distance(fs::directory_iterator(path.parent_path()), fs::directory_iterator()) == 1);
}

TEST_CASE("one job at a time writes checkpoints of a name") {
  auto const all = world();
  fs::path const folder = fresh_folder(all, "locked");
  checkpoint_options const wanted{.every = "5steps", .path = folder / "run.h5"};
  int number = 1;
  {
    checkpoints const kept(all, wanted, value("number", number));
    CHECK_THAT(outcome_of([&] { checkpoints(all, wanted, value("number", number)); }),
               Contains("another job writes checkpoints of this name"));
  }
  checkpoints again(all, wanted, value("number", number));
  again.look(5);
  again = {};
  CHECK_THAT(outcome_of([&] { checkpoints(all, wanted, value("number", number)); }),
             Contains("run-0001.h5' is there (expected --resume"));
}

TEST_CASE("a lock that is a symbolic link is refused, and its target left alone") {
  auto const all = world();
  fs::path const folder = fresh_folder(all, "linked"), target = folder / "precious";
  on_rank_0(all, [&] {
    put(target, "text");
    fs::create_symlink("precious", folder / "run.h5.lock");
  });
  int number = 1;
  checkpoint_options const wanted{.every = "5steps", .path = folder / "run.h5"};
  CHECK_THAT(outcome_of([&] { checkpoints(all, wanted, value("number", number)); }),
             Contains("run.h5.lock': this is a symbolic link"));
  mpi::barrier(all);
  CHECK(content_of(target) == "text");
  CHECK(fs::is_symlink(folder / "run.h5.lock"));
}

TEST_CASE("a signal ends the loop that it comes to, and not the next one") {
  auto const all = world();
  checkpoint_options wanted{.every = "1000steps", .path = fresh_folder(all, "signal") / "run.h5"};
  int number = 1;
  {
    checkpoints kept(all, wanted, value("number", number));
    kept.look(1);
    on_rank_0(all, [] { std::raise(SIGUSR1); });
    CHECK_THROWS_AS(kept.look(2), detail::ended_early);
  }
  wanted.resumes = true;
  checkpoints again(all, wanted, value("number", number));
  CHECK(again.first_step() == 2);
  CHECK_NOTHROW(again.look(3));
}

} // namespace seam::testing
