// The whole path, from a declared neighborhood to values after some sweeps, against a serial
// reference that knows nothing of ghosts, blocks or messages.
#include <seam/exchange/agreement/mpi_collective.hpp>
#include <seam/exchange/ground/error.hpp>
#include <seam/stencil/fields/sum.hpp>
#include <seam/stencil/roles/iterate.hpp>

#include <support/catch.hpp>
#include <support/world.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

using namespace seam;
using namespace seam::detail;

namespace {

/// A random problem: a directed stencil with coefficients on a grid with borders.
template <int D>
struct problem {
  grid_options<D> options;
  std::vector<cell_index<D>> offsets;
  std::vector<double> coefficients;
  double slope, value;
};

template <int D>
double first_value(cell_index<D> const& cell) {
  double sum = 0.1;
  for (int a = 0; a < std::ssize(cell); ++a)
    sum += std::sin(static_cast<double>((a + 1) * 7) * static_cast<double>(cell[a] + 1));
  return sum;
}

template <int D>
problem<D> random_problem(std::mt19937& random) {
  auto const pick = [&](int low, int high) {
    return std::uniform_int_distribution<int>(low, high)(random);
  };
  problem<D> made;
  std::vector<std::vector<int>> list;
  int const radius = pick(1, 3);
  for (int n = pick(1, 8); n > 0; --n) {
    cell_index<D> offset{};
    for (auto& entry : offset)
      entry = pick(-radius, radius);
    made.offsets.push_back(offset);
    made.coefficients.push_back(0.01 * pick(-40, 40));
    list.emplace_back(offset.begin(), offset.end());
  }
  made.options.neighborhood = offsets(list);
  for (int a = 0; a < D; ++a) {
    made.options.cells[a] = pick(D == 1 ? 36 : 5, D == 3 ? 11 : 41);
    made.options.periodic[a] = pick(0, 1) == 1;
    made.options.upper[a] = 1.0 + pick(0, 3);
  }
  made.slope = 0.25 * pick(-4, 4);
  made.value = 0.5 * pick(-4, 4);
  return made;
}

/// All values of a grid in one array, and what lies beyond its borders by definition.
template <int D>
class serial_reference {
public:
  explicit serial_reference(problem<D> const& what) : what_(what), values_(num_cells()) {
    for_each_cell(domain(), [&](cell_index<D> const& cell) { at(cell) = first_value<D>(cell); });
  }

  box<D> domain() const { return {{}, what_.options.cells}; }

  void sweep() {
    std::vector<double> next(values_.size());
    for_each_cell(domain(), [&](cell_index<D> const& cell) {
      double sum = 0;
      for (int s = 0; s < std::ssize(what_.offsets); ++s) {
        cell_index<D> other = cell;
        for (int a = 0; a < std::ssize(other); ++a)
          other[a] += what_.offsets[s][a];
        sum += what_.coefficients[s] * value(other);
      }
      next[place(cell)] = sum;
    });
    values_ = next;
  }

  double& at(cell_index<D> const& cell) { return values_[place(cell)]; }

private:
  std::int64_t num_cells() const { return domain().num_cells(); }

  std::int64_t place(cell_index<D> const& cell) const {
    std::int64_t sum = 0;
    for (int a = 0; a < std::ssize(cell); ++a)
      sum = sum * what_.options.cells[a] + cell[a];
    return sum;
  }

  /// Dirichlet at the low ends, Neumann at the high ends of axes that are not periodic.
  double value(cell_index<D> cell) {
    for (int a = 0; a < std::ssize(cell); ++a)
      if (what_.options.periodic[a])
        cell[a] =
            (cell[a] % what_.options.cells[a] + what_.options.cells[a]) % what_.options.cells[a];
    for (int a = D; a-- > 0;) {
      std::int64_t const n = what_.options.cells[a];
      double const h = (what_.options.upper[a] - what_.options.lower[a]) / static_cast<double>(n);
      cell_index<D> mirror = cell;
      if (cell[a] < 0) {
        mirror[a] = -1 - cell[a];
        return 2 * what_.value - value(mirror);
      }
      if (cell[a] >= n) {
        mirror[a] = 2 * n - 1 - cell[a];
        double const steps = 0.5 * static_cast<double>(mirror[a] - cell[a]);
        return value(mirror) + 2 * std::abs(steps) * h * what_.slope;
      }
    }
    return at(cell);
  }

  problem<D> const& what_;
  std::vector<double> values_;
};

template <int D>
void set_up(Field<double, D>& u, problem<D> const& what) {
  cell_index<D> const first = u.grid().owned().lo;
  auto const cells = u.view();
  for_each_cell(u.owned(), [&](cell_index<D> const& at) {
    cell_index<D> global = at;
    for (int a = 0; a < std::ssize(at); ++a)
      global[a] += first[a];
    cells[at] = first_value<D>(global);
  });
  for (int axis = 0; axis < D; ++axis) {
    u.boundary(axis, side::low, dirichlet(what.value));
    u.boundary(axis, side::high, neumann(what.slope));
  }
}

/// One sweep, or several as a chain.
template <int D>
void sweep_in_parallel(Iterate<double, D>& loop, problem<D> const& what, int in_chain = 0) {
  auto const kernel = [offsets = what.offsets, coefficients = what.coefficients](auto u,
                                                                                 auto... i) {
    double sum = 0;
    for (int s = 0; s < std::ssize(offsets); ++s) {
      cell_index<D> other{i...};
      for (int a = 0; a < std::ssize(other); ++a)
        other[a] += offsets[s][a];
      sum += coefficients[s] * u[other];
    }
    return sum;
  };
  if (in_chain > 0)
    loop.sweeps(in_chain, kernel);
  else
    loop.sweep(kernel);
}

template <int D>
std::int64_t num_different(Field<double, D> const& u, serial_reference<D>& expected) {
  std::int64_t different = 0;
  cell_index<D> const first = u.grid().owned().lo;
  auto const cells = u.view();
  for_each_cell(u.owned(), [&](cell_index<D> const& at) {
    cell_index<D> global = at;
    for (int a = 0; a < std::ssize(at); ++a)
      global[a] += first[a];
    different += cells[at] != expected.at(global);
  });
  return different;
}

/// Runs `what` on `over`; false if the grid refuses it because blocks would be thinner than the
/// halo.
template <int D>
bool equals_serial(Communicator const& over, problem<D> const& what) {
  try {
    Grid<D> grid(over, what.options);
    auto u = grid.template field<double>("u"), next = grid.template field<double>("next");
    set_up(u, what);
    Iterate loop(grid, u, next);
    serial_reference<D> expected(what);
    for (int in_chain : {0, 0, 4, 0, 1, 3}) {
      sweep_in_parallel<D>(loop, what, in_chain);
      for (int sweep = 0; sweep < std::max(1, in_chain); ++sweep)
        expected.sweep();
      CHECK(num_different(u, expected) == 0);
    }
    CHECK(loop.num_sweeps() == 11);
    return true;
  } catch (usage_error const& refused) {
    CHECK(refused.on_all_ranks());
    CHECK(std::string(refused.what()).find("thinner than the halo") != std::string::npos);
    return false;
  }
}

/// Draws problems until as many have been compared on some of the ranks. Returns their number.
template <int D>
int count_of_equal_problems(int num_problems, unsigned seed) {
  std::mt19937 random(seed);
  int done = 0;
  for (int n = 0; done < num_problems && n < 10 * num_problems; ++n) {
    auto const what = random_problem<D>(random);
    int const ranks =
        std::uniform_int_distribution<int>(1, mpi::comm_view(MPI_COMM_WORLD).size())(random);
    auto const part = testing::first_ranks(ranks);
    INFO("problem " << n << " in " << D << " dimensions on " << ranks << " ranks");
    int equal = 0;
    if (part.is_open())
      equal = equals_serial(Communicator::dup(part), what);
    done += mpi::allreduce(MPI_COMM_WORLD, equal, MPI_MAX);
  }
  return done;
}

} // namespace

TEST_CASE("200 random stencils equal the serial reference bit by bit") {
  CHECK(count_of_equal_problems<1>(60, 11) == 60);
  CHECK(count_of_equal_problems<2>(80, 22) == 80);
  CHECK(count_of_equal_problems<3>(60, 33) == 60);
}

TEST_CASE("diagonals in a plane that is not divided, and a line along the axis that is") {
  std::mt19937 random(7);
  for (auto const& processes : {std::array{1, 1, 0}, std::array{1, 0, 1}, std::array{0, 1, 1}})
    for (unsigned const periodic : {0U, 1U, 2U, 4U, 7U}) {
      auto what = random_problem<3>(random);
      auto const across = std::ranges::find(processes, 0) - processes.begin();
      what.offsets.clear();
      for_each_cell(box<3>{{-1, -1, -1}, {2, 2, 2}}, [&](cell_index<3> const& offset) {
        auto const steps = std::ranges::count_if(offset, [](auto step) { return step != 0; });
        if (offset[across] == 0 || steps == 1)
          what.offsets.push_back(offset);
      });
      CHECK(what.offsets.size() == 11);
      std::vector<std::vector<int>> list;
      for (auto const& offset : what.offsets)
        list.emplace_back(offset.begin(), offset.end());
      what.coefficients.assign(list.size(), 0.1);
      what.options.neighborhood = offsets(list);
      what.options.processes = processes;
      for (int a = 0; a < 3; ++a)
        what.options.periodic[a] = (periodic >> a & 1U) != 0;
      what.options.cells[across] = 26;
      INFO(fmt::format("processes {}, periodic {}", processes, what.options.periodic));
      CHECK(equals_serial(testing::world(), what));
    }
}

TEST_CASE("Jacobi converges to the same bits on any number of ranks") {
  auto const world = testing::world();
  Grid<2> grid(world, {.cells = {19, 23}, .periodic = {false, true}});
  auto u = grid.field<double>("u"), next = grid.field<double>("next");
  u.fill([](position<2> x) { return std::cos(6 * x[0]) + x[1]; });
  u.boundary(dirichlet(0.0));
  Iterate loop(grid, u, next);
  CHECK_FALSE(loop.converged(1.0));
  while (!loop.converged(1e-6))
    loop.sweep([](auto v, int i, int j) {
      return 0.25 * (v(i - 1, j) + v(i + 1, j) + v(i, j - 1) + v(i, j + 1));
    });
  CHECK(loop.change() <= 1e-6);
  CHECK(maximum_norm(u) < 1e-3);
  CHECK(loop.num_sweeps() == 1808);
}

TEST_CASE("a diverging iteration ends with an error on all ranks") {
  auto const world = testing::world();
  Grid<1> grid(world, {.cells = {40}, .periodic = {true}});
  auto u = grid.field<double>("u"), next = grid.field<double>("next");
  u.fill(1.0);
  Iterate loop(grid, u, next);
  auto const iterate = [&] {
    while (!loop.converged(1e-6))
      loop.sweep([](auto v, int i) { return 1e30 * (v(i - 1) + v(i + 1)); });
  };
  CHECK_THROWS_AS(iterate(), usage_error);
  CHECK(loop.num_sweeps() < 20);
}

TEST_CASE("a loop refuses fields that do not fit together") {
  auto const world = testing::world();
  Grid<1> grid(world, {.cells = {40}}), other(world, {.cells = {40}});
  auto u = grid.field<double>("u"), next = grid.field<double>("next"),
       stranger = other.field<double>("stranger");
  CHECK_THROWS_WITH(Iterate(grid, u, next),
                    Catch::Contains("no boundary condition on the low side"));
  u.boundary(outside(0.0));
  CHECK_NOTHROW(Iterate(grid, u, next));
  CHECK_THROWS_WITH(Iterate(grid, u, u), Catch::Contains("twice"));
  CHECK_THROWS_WITH(Iterate(grid, u, stranger), Catch::Contains("belongs to another grid"));
}

TEST_CASE("a loop refuses counts and tolerances that make no sense") {
  Grid<1> grid(testing::world(), {.cells = {40}, .periodic = {true}});
  auto u = grid.field<double>("u"), next = grid.field<double>("next");
  Iterate loop(grid, u, next);
  CHECK_THROWS_WITH(loop.sweeps(-3, [](auto v, int i) { return v(i); }),
                    Catch::Contains("iterate: -3 sweeps (expected 0 or more)"));
  CHECK_NOTHROW(loop.sweeps(0, [](auto v, int i) { return v(i); }));
  loop.sweep([](auto v, int i) { return v(i); });
  for (int const every : {0, -1})
    CHECK_THROWS_WITH(loop.converged(1.0, every),
                      Catch::Contains(fmt::format("after every {} sweeps (expected", every)));
  for (double const tolerance : {-1.0, std::numeric_limits<double>::quiet_NaN()})
    CHECK_THROWS_WITH(loop.converged(tolerance),
                      Catch::Contains("expected a tolerance of at least"));
  CHECK(loop.converged(0.0));
}

TEST_CASE("a boundary condition on an axis that the grid lacks is refused") {
  Grid<2> grid(testing::world(), {.cells = {40, 40}});
  auto u = grid.field<double>("u");
  for (int const axis : {-1, 2, 7})
    CHECK_THROWS_WITH(u.boundary(axis, side::low, dirichlet(0.0)),
                      Catch::Contains(fmt::format(
                          "field 'u': a boundary condition on axis {} (expected 0 to 1)", axis)));
}
