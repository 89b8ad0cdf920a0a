// Stencils of every structure, on processes that stand in every way, with every kind of border:
// what loops, chains, halos by hand and partitioned halos compute equals, bit by bit, what a serial
// program computes that knows neither ghosts nor messages.
//
// SEAM_STRUCTURED_CASES=2000 draws so many problems in all, of which each run computes those for
// its number of threads; SEAM_STRUCTURED_SEED=n draws others, SEAM_STRUCTURED_CASE=k computes the
// k-th alone.
#include <seam/exchange/ground/error.hpp>
#include <seam/stencil/ghosts/halo.hpp>
#include <seam/stencil/ghosts/partitioned_halo.hpp>
#include <seam/stencil/roles/iterate.hpp>

#include <support/catch.hpp>
#include <support/environment.hpp>
#include <support/first_ranks.hpp>
#include <support/serial_stencil.hpp>
#include <support/stencil_conditions.hpp>
#include <support/thread_level.hpp>
#include <support/tiles.hpp>
#include <support/world.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <map>
#include <random>
#include <string>
#include <vector>

using namespace seam;
using namespace seam::detail;
using namespace seam::testing;

namespace {

/// The sum that a problem's kernel computes at each cell.
template <int D>
struct weighted_sum {
  std::vector<cell_index<D>> offsets;
  std::vector<double> coefficients;

  explicit weighted_sum(stencil_problem const& what) : coefficients(what.coefficients) {
    for (axis_entries const& offset : what.offsets) {
      offsets.emplace_back();
      std::copy_n(offset.begin(), D, offsets.back().begin());
    }
  }

  template <class T, class... Index>
  T operator()(field_view<T const, D> const& u, Index... indices) const {
    return static_cast<T>(at(u, cell_index<D>{indices...}));
  }

  template <class T>
  double at(field_view<T const, D> const& u, cell_index<D> const& cell) const {
    double sum = 0;
    for (int s = 0; s < std::ssize(offsets); ++s) {
      cell_index<D> other = cell;
      for (int a = 0; a < std::ssize(other); ++a)
        other[a] += offsets[s][a];
      sum += coefficients[s] * static_cast<double>(u[other]);
    }
    return sum;
  }
};

template <int D>
grid_options<D> options_of(stencil_problem const& what) {
  grid_options<D> options;
  std::vector<std::vector<int>> list;
  for (axis_entries const& offset : what.offsets)
    list.emplace_back(offset.begin(), offset.begin() + D);
  if (list.empty()) // reads nothing
    options.neighborhood = metric_neighborhood(metric::manhattan, 0, 0);
  else
    options.neighborhood = offsets(list);
  for (int a = 0; a < D; ++a) {
    problem_axis const& axis = what.axes[a];
    options.cells[a] = axis.cells;
    options.periodic[a] = axis.is_periodic;
    options.processes[a] = axis.processes_are_given ? axis.processes : 0;
    options.upper[a] = axis.length;
  }
  return options;
}

template <class T, int D>
void set_border(Field<T, D>& u, int axis, side end, border_condition const& border) {
  use_condition<T, D>(axis, border,
                      [&](auto const& condition) { u.boundary(axis, end, condition); });
}

template <int D>
axis_entries global_cell(Grid<D> const& grid, cell_index<D> const& at) {
  axis_entries cell{};
  for (int a = 0; a < std::ssize(at); ++a)
    cell[a] = at[a] + grid.owned().lo[a];
  return cell;
}

/// First values in the owned cells, and in all ghosts a number that no cell holds.
template <class T, int D>
void set_up(Field<T, D>& u, stencil_problem const& what) {
  for (int axis = 0; axis < D; ++axis) {
    set_border(u, axis, side::low, what.axes[axis].low);
    set_border(u, axis, side::high, what.axes[axis].high);
  }
  auto const cells = u.view();
  for_each_cell(cells.local(), [&](cell_index<D> const& at) { cells[at] = T{777}; });
  for_each_cell(u.owned(), [&](cell_index<D> const& at) {
    cells[at] = static_cast<T>(first_value(global_cell<D>(u.grid(), at)));
  });
}

/// The fault of a subject, or nothing.
template <class T, int D>
std::string difference_of(Field<T, D> const& u, std::vector<T> const& expected) {
  std::int64_t different = 0;
  std::string first;
  auto const cells = u.view();
  for_each_cell(u.owned(), [&](cell_index<D> const& at) {
    axis_entries const cell = global_cell<D>(u.grid(), at);
    std::int64_t number = 0;
    for (int a = 0; a < D; ++a)
      number = number * u.grid().cells()[a] + cell[a];
    T const right = expected[number];
    if (cells[at] != right && different++ == 0)
      first = fmt::format("cell ({}) holds {} instead of {}",
                          fmt::join(std::span(cell).first(D), ","), cells[at], right);
  });
  return different == 0 ? "" : fmt::format("{} cells differ; {}", different, first);
}

/// All values after each sweep. They are computed on rank 0. [sweeps + 1][cells]
template <class T>
std::vector<std::vector<T>> expected_values(Communicator const& over, stencil_problem const& what) {
  std::vector<std::vector<T>> all(what.num_sweeps() + 1);
  serial_stencil<T> serial(what);
  for (auto& values : all) {
    if (over.rank() == 0 && &values != &all.front())
      serial.sweep();
    values = serial.values();
    MPI_Bcast(values.data(), static_cast<int>(values.size() * sizeof(T)), MPI_BYTE, 0,
              over.context().native());
  }
  return all;
}

/// A problem on a grid, solved in several ways. Each returns what went wrong, or nothing.
template <class T, int D>
class subjects {
public:
  subjects(Communicator const& over, stencil_problem const& what)
      : what_(what),
        expected_(expected_values<T>(over, what)),
        kernel_(what),
        grid_(over, options_of<D>(what)),
        random_(what.seed) {}

  std::string all() {
    std::string wrong;
    auto const add = [&](char const* subject, std::string const& found) {
      if (!found.empty())
        wrong += fmt::format("{}: {}\n", subject, found);
    };
    add("loop", loop(false));
    add("chain", loop(true));
    if (random_() % 2 == 0)
      add("halo by hand", by_hand());
    if (random_() % 2 == 0)
      add("partitioned halo", partitioned());
    if (random_() % 4 == 0) {
      int const level = random_() % 2 == 0 ? MPI_THREAD_FUNNELED : MPI_THREAD_SERIALIZED;
      pretended_thread_level const few_may_call(level);
      add("loop by one thread", loop(false));
    }
    return wrong;
  }

private:
  Field<T, D> new_field(char const* name) {
    auto u = grid_.template field<T>(name);
    set_up(u, what_);
    return u;
  }

  /// Says in `wrong` what differs first. (A rank with a difference goes on as the others do.)
  void compare(Field<T, D> const& u, int sweep, std::string& wrong) const {
    if (auto const found = difference_of(u, expected_[sweep]); wrong.empty() && !found.empty())
      wrong = fmt::format("after sweep {} {}", sweep, found);
  }

  /// Iterate, sweep by sweep or by chains.
  std::string loop(bool in_chains) {
    auto u = new_field("u"), next = new_field("next");
    Iterate<T, D> iterate(grid_, u, next);
    int done = 0;
    std::string wrong;
    for (int const sweeps : what_.batches) {
      if (in_chains)
        iterate.sweeps(sweeps, kernel_);
      else
        for (int s = 0; s < sweeps; ++s)
          iterate.sweep(kernel_);
      done += sweeps;
      compare(u, done, wrong);
    }
    return wrong;
  }

  /// Sweeps by `bring(u)`, which fills the ghosts of u and calls compute(tile) for all of u's
  /// cells.
  template <class Bring>
  std::string sweeps_by(Field<T, D>& u, Bring const& bring) {
    auto next = new_field("next");
    std::string wrong;
    for (int done = 1; done < std::ssize(expected_); ++done) {
      bring([&](box<D> const& tile) {
        for_each_cell(tile, [&](cell_index<D> const& at) {
          next.view()[at] = static_cast<T>(kernel_.at(std::as_const(u).view(), at));
        });
      });
      for_each_cell(u.owned(), [&](cell_index<D> const& at) { u.view()[at] = next.view()[at]; });
      compare(u, done, wrong);
    }
    return wrong;
  }

  std::string by_hand() {
    auto u = new_field("u");
    auto halo = make_halo(u);
    return sweeps_by(u, [&](auto const& compute) {
      halo.run();
      u.fill_borders();
      compute(u.owned());
    });
  }

  std::string partitioned() {
    auto u = new_field("u");
    auto halo = make_partitioned_halo(u);
    std::mt19937 random(what_.seed + static_cast<unsigned>(grid_.rank()));
    auto tiles = tiles_of(u.owned(), 1 + static_cast<std::int64_t>(random() % 100));
    return sweeps_by(u, [&](auto const& compute) {
      halo.start();
      std::ranges::shuffle(tiles, random);
      for (box<D> const& tile : tiles)
        halo.ready(tile);
      std::ranges::shuffle(tiles, random);
      for (box<D> const& tile : tiles) {
        halo.wait(grid_.read_by(tile));
        u.fill_borders(tile);
        compute(tile);
      }
      halo.wait();
    });
  }

  stencil_problem const& what_;
  std::vector<std::vector<T>> expected_;
  weighted_sum<D> kernel_;
  Grid<D> grid_;
  std::mt19937 random_; ///< draws alike on all ranks
};

template <int D>
std::string faults_in(Communicator const& over, stencil_problem const& what) {
  return what.in_floats ? subjects<float, D>(over, what).all()
                        : subjects<double, D>(over, what).all();
}

std::string faults(Communicator const& over, stencil_problem const& what) {
  try {
    switch (what.axes.size()) {
    case 1: return faults_in<1>(over, what);
    case 2: return faults_in<2>(over, what);
    default: return faults_in<3>(over, what);
    }
  } catch (usage_error const& refused) {
    return fmt::format("refused: {}\n", refused.what());
  }
}

/// Numbers of the problems that this run computes.
std::vector<int> chosen_cases() {
  if (int const one = number_in_environment("SEAM_STRUCTURED_CASE", -1); one >= 0)
    return {one};
  constexpr int thread_counts = 3;
  int const threads = std::min(num_loop_threads(), thread_counts);
  std::vector<int> mine;
  for (int number = 0; number < number_in_environment("SEAM_STRUCTURED_CASES", 200); ++number)
    if (number % thread_counts + 1 == threads)
      mine.push_back(number);
  return mine;
}

} // namespace

TEST_CASE("stencils of every structure equal the serial program bit by bit") {
  auto const seed = static_cast<unsigned>(number_in_environment("SEAM_STRUCTURED_SEED", 1));
  int const size = mpi::comm_view(MPI_COMM_WORLD).size();
  first_ranks_kept const parts;
  auto const cases = chosen_cases();
  std::vector<int> is_wrong(cases.size());
  for (int n = 0; n < std::ssize(cases); ++n) {
    int const number = cases[n];
    auto const what = make_stencil_problem({seed, number, size});
    if (!parts[what.ranks])
      continue;
    std::string const wrong = faults(*parts[what.ranks], what);
    is_wrong[n] = wrong.empty() ? 0 : 1;
    INFO(fmt::format("SEAM_STRUCTURED_SEED={} SEAM_STRUCTURED_CASE={} with {} of {} ranks and {} "
                     "threads: {}",
                     seed, number, what.ranks, size, num_loop_threads(), in_words(what)));
    CHECK(wrong == "");
  }
  MPI_Allreduce(MPI_IN_PLACE, is_wrong.data(), static_cast<int>(is_wrong.size()), MPI_INT, MPI_MAX,
                MPI_COMM_WORLD);
  std::vector<int> wrong_cases;
  for (int n = 0; n < std::ssize(cases); ++n)
    if (is_wrong[n] != 0)
      wrong_cases.push_back(cases[n]);
  CHECK(wrong_cases == std::vector<int>{});
}
