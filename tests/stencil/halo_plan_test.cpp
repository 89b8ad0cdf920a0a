// The two ways to plan a halo fill the same ghosts; axis after axis needs the fewest messages.
#include <seam/stencil/fields/field.hpp>
#include <seam/stencil/space/halo_plan.hpp>

#include <support/catch.hpp>
#include <support/world.hpp>

#include <random>

using namespace seam;
using namespace seam::detail;

namespace {

/// Each owned cell a value of its own; ghosts none.
template <int D>
void number_owned(Field<double, D>& u) {
  auto const cells = u.view();
  double number = 1 + 1e6 * u.grid().rank();
  for_each_cell(cells.local(), [&](cell_index<D> const& at) { cells[at] = -1; });
  for_each_cell(u.owned(), [&](cell_index<D> const& at) { cells[at] = number++; });
}

template <int D>
void run(Field<double, D>& u, std::span<plan const> rounds) {
  exchanged_array const array = u.exchanged();
  make_exchange(u.grid().graph(), rounds, std::span(&array, 1)).run();
}

template <int D>
std::vector<std::vector<int>> random_offsets(std::mt19937& random) {
  std::uniform_int_distribution entry(-2, 2);
  std::vector<std::vector<int>> list(1 + random() % 4, std::vector<int>(D));
  for (auto& offset : list)
    for (int& step : offset)
      step = entry(random);
  return list;
}

/// The rounds of a grid in parts of a few cells; their boxes are where their edges begin and end.
template <int D>
std::vector<plan> small_parts_of(Grid<D> const& grid) {
  auto const parts = make_halo_parts(*grid.space(), grid.space()->sides(), 3, 5);
  for (halo_round const& round : parts) {
    CHECK(round.sources.size() == round.what.topology().sources().size());
    for (int e = 0; e < std::ssize(round.destinations); ++e)
      CHECK(round.destinations[e].num_cells() == round.what.sends()[e][0].num_elements());
  }
  return plans_of(parts);
}

/// All plans on the same grid: every ghost that the direct one fills, the rounds fill alike.
template <int D>
void compare(grid_options<D> options, std::vector<std::vector<int>> const& list) {
  options.neighborhood = offsets(list);
  Grid<D> grid(testing::world(), options);
  auto u = grid.template field<double>("u"), v = grid.template field<double>("v"),
       w = grid.template field<double>("w");
  number_owned(u), number_owned(v), number_owned(w);
  run<D>(u, std::span(&grid.halo_plan(), 1));
  run<D>(v, grid.halo_rounds());
  run<D>(w, small_parts_of(grid));
  auto const direct = u.view(), in_rounds = v.view(), in_parts = w.view();
  std::int64_t wrong = 0;
  for (auto const& side : grid.space()->sides())
    for_each_cell(unpadded<D>(ghosts_at(padded(u.owned()), side)), [&](cell_index<D> const& at) {
      wrong += direct[at] != -1 && direct[at] != in_rounds[at];
    });
  CHECK(wrong == 0);
  for_each_cell(u.owned(), [&](cell_index<D> const& at) { wrong += direct[at] != in_rounds[at]; });
  CHECK(wrong == 0);
  for_each_cell(direct.local(),
                [&](cell_index<D> const& at) { wrong += in_parts[at] != in_rounds[at]; });
  CHECK(wrong == 0);
}

template <int D>
void compare_at_random(cell_index<D> const& cells, int trials) {
  std::mt19937 random(static_cast<unsigned>(D));
  for (int trial = 0; trial < trials; ++trial) {
    grid_options<D> options{.cells = cells};
    for (bool& periodic : options.periodic)
      periodic = random() % 2 == 0;
    compare<D>(options, random_offsets<D>(random));
  }
}

/// Edges from `rank` to others.
std::int64_t num_messages(std::span<plan const> rounds, int rank) {
  std::int64_t sum = 0;
  for (plan const& round : rounds)
    sum += std::ranges::count_if(round.topology().destinations(),
                                 [&](edge const& to) { return to.rank != rank; });
  return sum;
}

/// Whether each edge of `rank` to itself is in the first round and leads from cells that it owns.
bool copies_come_first(std::vector<halo_round> const& rounds, box3 const& owned, int rank) {
  bool so = true;
  for (int r = 0; r < std::ssize(rounds); ++r) {
    auto const destinations = rounds[r].what.topology().destinations();
    for (int e = 0; e < std::ssize(destinations); ++e) {
      box3 const& from = rounds[r].destinations[e];
      if (destinations[e].rank == rank)
        so = so && r == 0 && intersection(from, owned) == from;
    }
  }
  return so;
}

} // namespace

TEST_CASE("axis after axis fills the same ghosts as straight from their owners") {
  compare_at_random<1>({41}, 20);
  compare_at_random<2>({17, 22}, 40);
  compare_at_random<3>({9, 11, 10}, 40);
}

TEST_CASE("corners cost no messages of their own, and a round for each axis that is divided") {
  Grid<3> grid(testing::world(),
               {.cells = {16, 16, 16}, .periodic = {true, true, true}, .neighborhood = moore(1)});
  auto const processes = grid.processes();
  auto const num_divided = std::ranges::count_if(processes, [](int n) { return n > 1; });
  CHECK(std::ssize(grid.halo_rounds()) == num_divided + (num_divided < 3 ? 1 : 0));
  CHECK(num_messages(grid.halo_rounds(), grid.rank()) == 2 * num_divided);
}

TEST_CASE("what a process copies to its own ghosts is copied first, from cells that it owns") {
  std::mt19937 random(5);
  for (auto const& processes : {std::array{1, 1, 0}, std::array{1, 0, 1}, std::array{0, 1, 1}})
    for (int trial = 0; trial < 10; ++trial) {
      grid_options<3> options{.cells = {24, 24, 24}, .processes = processes};
      options.neighborhood = offsets(random_offsets<3>(random));
      for (bool& periodic : options.periodic)
        periodic = random() % 4 != 0;
      Grid<3> const grid(testing::world(), options);
      box<3> const owned{{}, grid.owned().extents()};
      CHECK(copies_come_first(grid.halo_parts(), owned, grid.rank()));
    }
}

TEST_CASE("faces alone travel at once, unless slabs then need no packing") {
  for (std::int64_t width : {16, 2000}) {
    Grid<2> grid(testing::world(),
                 {.cells = {16, width}, .periodic = {true, true}, .processes = {0, 1}});
    bool const in_slabs = grid.processes()[0] > 1 && width == 2000;
    REQUIRE(grid.halo_rounds().size() == (in_slabs ? 2 : 1));
    if (in_slabs)
      CHECK(grid.halo_rounds().back().sends()[0][0].extent ==
            std::array<std::int64_t, 3>{1, 1, width + 2});
  }
}
