// Fields of any trivially copyable type: everything that moves values treats them as bytes, and
// what computes with them says so.
#include <seam/exchange/ground/error.hpp>
#include <seam/stencil/fields/gather.hpp>
#include <seam/stencil/ghosts/halo.hpp>
#include <seam/stencil/ghosts/partitioned_halo.hpp>
#include <seam/stencil/roles/iterate.hpp>

#include <support/catch.hpp>
#include <support/field_types.hpp>
#include <support/refusal.hpp>
#include <support/world.hpp>

#include <fmt/format.h>

#include <limits>
#include <string>
#include <utility>

using namespace seam;
using namespace seam::detail;
using namespace seam::testing;

namespace {

/// The number of the cell that `at`, relative to this rank's block, is or is a copy of; -1 beyond
/// the domain.
template <int D>
std::int64_t number_of(Grid<D> const& grid, cell_index<D> const& at) {
  std::int64_t number = 0;
  for (int a = 0; a < std::ssize(at); ++a) {
    std::int64_t global = at[a] + grid.owned().lo[a];
    if (grid.is_periodic(a))
      global = (global + grid.cells()[a]) % grid.cells()[a];
    if (global < 0 || global >= grid.cells()[a])
      return -1;
    number = number * grid.cells()[a] + global;
  }
  return number;
}

/// Sets owned cells to what their numbers stand for, and ghosts to T{}.
template <class T, int D>
void number_owned(Field<T, D>& u) {
  auto const cells = u.view();
  for_each_cell(cells.local(), [&](auto const& at) {
    cells[at] = u.owned().contains(at) ? value_of_number<T>(number_of(u.grid(), at)) : T{};
  });
}

/// Local cells of the domain that do not hold what their numbers stand for.
template <class T, int D>
int num_wrong(Field<T, D> const& u) {
  int wrong = 0;
  for_each_cell(u.view().local(), [&](auto const& at) {
    auto const number = number_of(u.grid(), at);
    if (number >= 0 && !(u.view()[at] == value_of_number<T>(number)))
      ++wrong;
  });
  return wrong;
}

Grid<2> some_grid() {
  return Grid<2>(world(), {.cells = {13, 10}, .periodic = {true, false}, .neighborhood = moore(1)});
}

} // namespace

TEMPLATE_TEST_CASE("ghosts hold their owner's value, whatever its type", "", bool, std::int8_t,
                   float, std::complex<double>, rgb, force, particle) {
  auto const grid = some_grid();
  auto u = grid.field<TestType>("u");
  auto v = grid.field<double>("v"); // bytes behind those of odd length
  number_owned(u), number_owned(v);
  make_halo(u, v).run();
  CHECK(num_wrong(u) == 0);
  CHECK(num_wrong(v) == 0);

  number_owned(u), number_owned(v);
  auto partitioned = make_partitioned_halo(v, u);
  partitioned.start();
  partitioned.ready(u.owned());
  partitioned.wait();
  CHECK(num_wrong(u) == 0);
  CHECK(num_wrong(v) == 0);
}

TEST_CASE("gather refuses a component or a rank that there is not") {
  auto const grid = some_grid();
  auto const u = grid.field<double>("u", {.components = 2});
  std::string const line =
      "gather: component {} of 'u' on rank {} (expected 0 to 1, on rank 0 to {})";
  int const last = grid.size() - 1;
  for (auto const& [root, component] : {std::pair(0, 2), std::pair(0, -1), std::pair(last + 1, 1)})
    CHECK_THAT(refusal_of([&] { static_cast<void>(gather(u, root, component)); }),
               Catch::Contains(fmt::format(fmt::runtime(line), component, root, last)));
}

TEMPLATE_TEST_CASE("gathered values stand in the order of the cells, whatever their type", "", bool,
                   std::int8_t, float, rgb, force, particle) {
  auto const grid = some_grid();
  auto u = grid.field<TestType>("u");
  number_owned(u);
  std::vector<TestType> const all = gather(u);
  REQUIRE(std::ssize(all) == (grid.rank() == 0 ? 130 : 0));
  for (int k = 0; k < std::ssize(all); ++k)
    CHECK(all[k] == value_of_number<TestType>(static_cast<std::int64_t>(k)));
}

TEMPLATE_TEST_CASE("sweeps move values of any type, and borders give them", "", bool, std::int8_t,
                   float, rgb, force, particle) {
  auto const grid = some_grid();
  auto u = grid.field<TestType>("u"), next = grid.field<TestType>("next");
  auto const beyond = value_of_number<TestType>(77);
  number_owned(u);
  u.boundary(0, side::low, outside(beyond)); // without effect: that axis is periodic
  u.boundary(1, side::low, outside([=](position<2> const&) { return beyond; }));
  u.boundary(1, side::high, [](ghost_cell<TestType, 2> const& ghost) { return ghost.inside; });
  Iterate loop(grid, u, next);
  auto const from_low = [](auto v, int i, int j) { return v(i, j - 1); };
  loop.sweep(from_low);
  loop.sweeps(2, from_low);
  int wrong = 0;
  for_each_cell(u.owned(), [&](cell_index<2> const& at) {
    bool const is_inside = at[1] + grid.owned().lo[1] >= 3;
    auto const expected =
        is_inside ? value_of_number<TestType>(number_of(grid, cell_index<2>{at[0], at[1] - 3}))
                  : beyond;
    wrong += u.view()[at] == expected ? 0 : 1;
  });
  CHECK(wrong == 0);
  using std::swap;
  swap(u, next);
  CHECK(u.name() == "next");
}

TEMPLATE_TEST_CASE("ghosts are added into their owners by the type's own +", "", std::int8_t, float,
                   std::complex<double>, force) {
  auto const grid = some_grid();
  auto u = grid.field<TestType>("u");
  for (bool const is_partitioned : {false, true}) {
    auto const one = value_of_number<TestType>(1);
    for_each_cell(u.view().local(), [&](auto const& at) { u.view()[at] = one; });
    if (is_partitioned) {
      auto back = make_partitioned_reverse_halo(reduction::sum, u);
      back.start();
      back.ready(u.view().local());
      back.wait();
    } else
      make_reverse_halo(reduction::sum, u).run();
    // A cell at an end of a block is a ghost of one neighbor, at a corner of three.
    int wrong = 0;
    for_each_cell(u.owned(), [&](cell_index<2> const& at) {
      auto const copies = [&](int axis) {
        int const a = axis;
        auto const global = at[a] + grid.owned().lo[a];
        bool const open = !grid.is_periodic(axis);
        int const low = at[a] == 0 && !(open && global == 0);
        int const high = at[a] == u.owned().hi[a] - 1 && !(open && global == grid.cells()[a] - 1);
        return 1 + low + high;
      };
      TestType expected = one;
      for (int k = 1; k < copies(0) * copies(1); ++k)
        expected = static_cast<TestType>(expected + one);
      wrong += u.view()[at] == expected ? 0 : 1;
    });
    CHECK(wrong == 0);
  }
}

TEST_CASE("a type's fields begin with its own first value") {
  auto const grid = some_grid();
  auto const u = grid.field<particle>("u");
  for_each_cell(u.view().local(), [&](auto const& at) { REQUIRE(u.view()[at] == particle{}); });
}

TEST_CASE("what a type cannot do to combine is one line on all ranks") {
  auto const grid = some_grid();
  auto u = grid.field<double>("u");
  auto v = grid.field<particle>("v");
  auto c = grid.field<std::complex<double>>("c");
  CHECK_THROWS_WITH(make_reverse_halo(reduction::sum, u, v),
                    Catch::Contains("reduction::sum of elements of 24 bytes whose type has no +"));
  CHECK_THROWS_WITH(make_partitioned_reverse_halo(reduction::min, v, u),
                    Catch::Contains("reduction::min of elements of 24 bytes whose type has no <"));
  CHECK_THROWS_WITH(make_reverse_halo(reduction::max, c),
                    Catch::Contains("reduction::max of elements of 16 bytes whose type has no <"));
  try {
    make_reverse_halo(reduction::sum, v);
  } catch (usage_error const& refused) {
    CHECK(refused.on_all_ranks());
  }
  CHECK_NOTHROW(make_reverse_halo(reduction::replace, v).run());
}

TEST_CASE(
    "a field with no components or levels, or with too many levels, is refused on all ranks") {
  auto const grid = some_grid();
  for (field_options const& options :
       {field_options{.components = 0}, field_options{.levels = 0}, field_options{.levels = 1025},
        field_options{.levels = std::numeric_limits<int>::max()}})
    CHECK_THAT(refusal_of([&] { grid.field<char>("u", options); }),
               Catch::Contains("field 'u': ") && Catch::Contains("at most 1024 levels"));
}
