// The programs of apps/ and docs/examples as users write them without steps: loops by hand, and a call
// of a halo before each loop that reads ghosts. Each call can be made wrong from outside (see
// call_sites.hpp). Prints sums of the fields, all of their bits.
//
//     mpiexec -n 3 by-hand heat
#include "call_sites.hpp"

#include <seam/framework/program/print.hpp>
#include <seam/framework/program/runtime.hpp>
#include <seam/stencil/fields/sum.hpp>
#include <seam/stencil/ghosts/halo.hpp>
#include <seam/stencil/ghosts/partitioned_halo.hpp>

#include <array>
#include <cmath>
#include <functional>
#include <map>
#include <string>
#include <utility>

namespace seam::testing {
namespace {

constexpr int num_steps = 6;

/// One call site of a program: the halo that belongs there, and one of another field.
struct site {
  site(call_sites const& all, int its_number, Halo& right, Halo& wrong)
      : sites(&all), number(its_number), halo(&right), other(&wrong) {}

  template <class Loop>
  void around(int step, Loop const& loop) const {
    sites->before_use(
        number, step, [this] { halo->run(); }, [this] { other->run(); });
    loop();
    sites->behind_use(number, step, [this] { halo->run(); });
  }

  call_sites const* sites;
  int number;
  Halo *halo, *other;
};

auto const waves = [](auto const& x) {
  double phase = 0.3;
  for (double const along : x)
    phase += 7 * along * (1 + phase);
  return 1 + std::sin(phase);
};

template <class T, int D>
std::string bits_of(Field<T, D> const& u) {
  return fmt::format("{:a}", static_cast<double>(sum(u)));
}

/// Jacobi's iteration between hot and cold borders (apps/jacobi, apps/heat).
std::string heat(Communicator const& over, call_sites const& sites) {
  Grid<2> const grid(over, {.cells = {24, 20}});
  auto u = grid.field<double>("u"), next = grid.field<double>("next");
  auto halo_u = make_halo(u), halo_next = make_halo(next);
  u.fill(waves);
  u.boundary(dirichlet(1.0));
  for (int step = 0; step < num_steps; ++step)
    site(sites, 0, halo_u, halo_next).around(step, [&] {
      u.fill_borders();
      for_each_cell(u.owned(), [&, a = u.view(), b = next.view()](cell_index<2> const& at) {
        auto const [i, j] = at;
        b(i, j) = 0.25 * (a(i - 1, j) + a(i + 1, j) + a(i, j - 1) + a(i, j + 1));
      });
      for_each_cell(u.owned(),
                    [&, a = u.view(), b = next.view()](auto const& at) { a[at] = b[at]; });
    });
  return bits_of(u);
}

/// Heat in a cube, two fields that are swapped (docs/examples/from-igg).
std::string cube(Communicator const& over, call_sites const& sites) {
  Grid<3> const grid(over, {.cells = {12, 10, 8}, .periodic = {true, true, true}});
  std::array fields{grid.field<double>("t0"), grid.field<double>("t1")};
  std::array halos{make_halo(fields[0]), make_halo(fields[1])};
  fields[0].fill(waves);
  for (int step = 0; step < num_steps; ++step) {
    int const now = step % 2;
    site(sites, 0, halos[now], halos[1 - now]).around(step, [&] {
      for_each_cell(fields[0].owned(), [&, t = std::as_const(fields[now]).view(),
                                        next = fields[1 - now].view()](cell_index<3> const& at) {
        auto const [i, j, k] = at;
        next[at] = t[at] + 0.1 * (t(i - 1, j, k) + t(i + 1, j, k) + t(i, j - 1, k) +
                                  t(i, j + 1, k) + t(i, j, k - 1) + t(i, j, k + 1) - 6 * t[at]);
      });
    });
  }
  return bits_of(fields[num_steps % 2]);
}

/// Waves in time levels that change places (apps/wave).
std::string wave(Communicator const& over, call_sites const& sites) {
  Grid<2> const grid(over, {.cells = {18, 22}, .periodic = {true, true}});
  std::array p{grid.field<double>("old"), grid.field<double>("now"), grid.field<double>("new")};
  for (auto& level : p)
    level.fill(waves);
  for (int step = 0; step < num_steps; ++step) {
    auto right = make_halo(p[1]), wrong = make_halo(p[0]);
    site(sites, 0, right, wrong).around(step, [&] {
      for_each_cell(p[0].owned(), [&, a = p[0].view(), b = p[1].view(),
                                   c = p[2].view()](cell_index<2> const& at) {
        auto const [i, j] = at;
        double const around = b(i - 1, j) + b(i + 1, j) + b(i, j - 1) + b(i, j + 1);
        c[at] = 2 * b[at] - a[at] + 0.2 * (around - 4 * b[at]);
      });
    });
    std::swap(p[0], p[1]);
    std::swap(p[1], p[2]);
  }
  return bits_of(p[1]);
}

/// Two fields that react and diffuse, diagonal neighbors included (apps/gray-scott).
std::string gray_scott(Communicator const& over, call_sites const& sites) {
  Grid<2> const grid(over, {.cells = {20, 26}, .periodic = {true, true}, .neighborhood = moore(1)});
  auto u = grid.field<double>("u"), v = grid.field<double>("v");
  auto next_u = grid.field<double>("next u"), next_v = grid.field<double>("next v");
  auto halo_u = make_halo(u), halo_v = make_halo(v), halo_next = make_halo(next_u);
  u.fill(waves);
  v.fill([](auto const& x) { return waves(x) * x[0]; });
  auto const mean = [](auto const& a, cell_index<2> const& at) {
    double total = 0;
    for (int i : {-1, 0, 1})
      for (int j : {-1, 0, 1})
        total += a(at[0] + i, at[1] + j);
    return total / 9;
  };
  auto const react = [&](cell_index<2> const& at) {
    double const rate = u.view()[at] * v.view()[at] * v.view()[at];
    next_u.view()[at] = mean(u.view(), at) - 0.01 * rate;
    next_v.view()[at] = mean(v.view(), at) + 0.01 * rate;
  };
  for (int step = 0; step < num_steps; ++step)
    site(sites, 0, halo_u, halo_next).around(step, [&] {
      site(sites, 1, halo_v, halo_u).around(step, [&] {
        for_each_cell(u.owned(), react);
        for_each_cell(u.owned(), [&, a = u.view(), b = v.view()](cell_index<2> const& at) {
          a[at] = next_u.view()[at];
          b[at] = next_v.view()[at];
        });
      });
    });
  return bits_of(u) + " " + bits_of(v);
}

/// Depths in cells, velocities on faces (apps/shallow-water).
std::string shallow_water(Communicator const& over, call_sites const& sites) {
  Grid<1> const grid(over, {.cells = {60}, .periodic = {true}});
  auto depth = grid.field<double>("depth"), spare = grid.field<double>("spare");
  auto speed = grid.field<double>("speed", {.on = on_faces(0)});
  auto halo_depth = make_halo(depth), halo_speed = make_halo(speed), halo_spare = make_halo(spare);
  depth.fill([](auto const& x) { return 2 + waves(x); });
  speed.fill(waves);
  for (int step = 0; step < num_steps; ++step) {
    site(sites, 0, halo_depth, halo_spare).around(step, [&] {
      for_each_cell(speed.owned(), [&, u = speed.view(), h = depth.view()](auto const& at) {
        u[at] -= 0.1 * (h(at[0]) - h(at[0] - 1));
      });
    });
    site(sites, 1, halo_speed, halo_depth).around(step, [&] {
      for_each_cell(depth.owned(), [&, u = speed.view(), h = depth.view()](auto const& at) {
        h[at] -= 0.1 * (u(at[0] + 1) - u(at[0]));
      });
    });
  }
  return bits_of(depth) + " " + bits_of(speed);
}

/// Values that move on along the grid: only low ghosts are read (apps/euler).
std::string upwind(Communicator const& over, call_sites const& sites) {
  Grid<1> const grid(over, {.cells = {50}, .periodic = {true}, .neighborhood = offsets({{-1}})});
  auto q = grid.field<double>("q"), next = grid.field<double>("next");
  auto halo = make_halo(q), wrong = make_halo(next);
  q.fill(waves);
  for (int step = 0; step < num_steps; ++step)
    site(sites, 0, halo, wrong).around(step, [&] {
      auto const old = std::as_const(q).view();
      for_each_cell(q.owned(), [&, to = next.view()](auto const& at) {
        to[at] = 0.6 * old[at] + 0.4 * old(at[0] - 1);
      });
      for_each_cell(q.owned(), [&, to = q.view()](auto const& at) { to[at] = next.view()[at]; });
    });
  return bits_of(q);
}

/// Cells of two colors in turn (the smoother of apps/multigrid).
std::string red_black(Communicator const& over, call_sites const& sites) {
  Grid<2> const grid(over, {.cells = {20, 24}, .periodic = {true, true}});
  auto u = grid.field<double>("u"), f = grid.field<double>("f");
  auto halo = make_halo(u), wrong = make_halo(f);
  u.fill(waves);
  f.fill([](auto const& x) { return x[0] - x[1]; });
  auto const relax = [&](std::int64_t color) {
    auto const loop = u.in_place();
    for_each_cell(u.owned(), [&, a = u.view()](cell_index<2> const& at) {
      auto const [i, j] = at;
      if ((i + j + grid.owned().lo[0] + grid.owned().lo[1]) % 2 == color)
        a(i, j) = 0.25 * (a(i - 1, j) + a(i + 1, j) + a(i, j - 1) + a(i, j + 1) - f.view()[at]);
    });
  };
  for (int step = 0; step < num_steps; ++step)
    for (int color : {0, 1})
      site(sites, color, halo, wrong).around(step, [&] { relax(color); });
  return bits_of(u);
}

/// The Game of Life (apps/life), in whole numbers.
std::string life(Communicator const& over, call_sites const& sites) {
  Grid<2> const grid(over, {.cells = {24, 24}, .periodic = {true, true}, .neighborhood = moore(1)});
  std::array cells{grid.field<std::int32_t>("now"), grid.field<std::int32_t>("next")};
  std::array halos{make_halo(cells[0]), make_halo(cells[1])};
  cells[0].fill([](auto const& x) { return std::fmod(31 * x[0] + 57 * x[1] * x[0], 1.0) < 0.4; });
  for (int step = 0; step < num_steps; ++step) {
    auto& now = cells[step % 2];
    auto& next = cells[1 - step % 2];
    site(sites, 0, halos[step % 2], halos[1 - step % 2]).around(step, [&] {
      for_each_cell(now.owned(), [&, a = now.view(), b = next.view()](cell_index<2> const& at) {
        int alive = 0;
        for (int i : {-1, 0, 1})
          for (int j : {-1, 0, 1})
            alive += i == 0 && j == 0 ? 0 : a(at[0] + i, at[1] + j);
        b[at] = alive == 3 || (alive == 2 && a[at] == 1) ? 1 : 0;
      });
    });
  }
  return fmt::format("{}", sum(cells[0], [](std::int32_t alive) { return alive; }));
}

/// Particles that move along nine directions (apps/cavity).
std::string lattice(Communicator const& over, call_sites const& sites) {
  Grid<2> const grid(over, {.cells = {16, 18}, .periodic = {true, true}, .neighborhood = moore(1)});
  auto f = grid.field<double>("f", {.components = 9});
  auto next = grid.field<double>("next", {.components = 9});
  auto halo = make_halo(f), wrong = make_halo(next);
  for (int q = 0; q < 9; ++q)
    f.fill(q, [q](auto const& x) { return waves(x) + q; });
  for (int step = 0; step < num_steps; ++step)
    site(sites, 0, halo, wrong).around(step, [&] {
      for (int q = 0; q < 9; ++q)
        for_each_cell(f.owned(), [&, from = f.view(q), to = next.view(q)](cell_index<2> const& at) {
          to[at] = from(at[0] - (q / 3 - 1), at[1] - (q % 3 - 1));
        });
      for (int q = 0; q < 9; ++q)
        for_each_cell(f.owned(), [&, to = f.view(q)](cell_index<2> const& at) {
          to[at] = 0.9 * next.view(q)[at] + 0.1 * next.view(8 - q)[at];
        });
    });
  double total = 0;
  for (int q = 0; q < 9; ++q)
    total += (q + 1) * sum(grid, [a = f.view(q)](int i, int j) { return a(i, j) * (i % 3 + 1); });
  return fmt::format("{:a}", total);
}

/// A coarse and a fine grid: relaxation, restriction, prolongation (apps/multigrid).
std::string two_grids(Communicator const& over, call_sites const& sites) {
  Grid<1> const fine(over, {.cells = {48}, .periodic = {true}}), coarse = fine.coarsened();
  auto u = fine.field<double>("u"), r = fine.field<double>("r");
  auto e = coarse.field<double>("e"), next = coarse.field<double>("next");
  auto halo_u = make_halo(u), halo_r = make_halo(r), halo_e = make_halo(e),
       halo_next = make_halo(next);
  u.fill(waves);
  auto const each_coarse = [&](auto const& visit) { for_each_cell(e.owned(), visit); };
  for (int step = 0; step < num_steps; ++step) {
    site(sites, 0, halo_u, halo_r).around(step, [&] {
      for_each_cell(u.owned(), [&, a = u.view(), b = r.view()](auto const& at) {
        b[at] = 0.5 * (a(at[0] - 1) + a(at[0] + 1)) - a(at[0]);
      });
    });
    site(sites, 1, halo_r, halo_u).around(step, [&] {
      each_coarse([&, b = r.view(), c = e.view()](auto const& at) {
        c[at] = 0.25 * (b(2 * at[0] - 1) + b(2 * at[0]) + b(2 * at[0] + 1) + b(2 * at[0] + 1));
      });
    });
    site(sites, 2, halo_e, halo_next).around(step, [&] {
      each_coarse([&, c = e.view(), d = next.view()](auto const& at) {
        d[at] = c(at[0]) + 0.3 * (c(at[0] - 1) + c(at[0] + 1));
      });
    });
    each_coarse([&, a = u.view(), d = next.view()](auto const& at) {
      a(2 * at[0]) += d[at];
      a(2 * at[0] + 1) += 0.5 * d[at];
    });
  }
  return bits_of(u);
}

/// Cells that are marked as ready tile by tile.
std::string tiles(Communicator const& over, call_sites const& sites) {
  Grid<2> const grid(over, {.cells = {20, 20}, .periodic = {true, true}});
  auto u = grid.field<double>("u"), next = grid.field<double>("next");
  auto right = make_partitioned_halo(u), wrong = make_partitioned_halo(next);
  auto const upper = box<2>{{}, {2, u.owned().hi[1]}}, lower = box<2>{{2, 0}, u.owned().hi};
  u.fill(waves);
  auto const exchange = [&](PartitionedHalo<2>& halo) {
    halo.start();
    halo.ready(upper);
    halo.ready(lower);
    for (auto const& tile : {upper, lower})
      halo.wait(grid.read_by(tile));
    halo.wait();
  };
  for (int step = 0; step < num_steps; ++step) {
    sites.before_use(
        0, step, [&] { exchange(right); }, [&] { exchange(wrong); });
    for_each_cell(u.owned(), [&, a = u.view(), b = next.view()](cell_index<2> const& at) {
      auto const [i, j] = at;
      b(i, j) = 0.25 * (a(i - 1, j) + a(i + 1, j) + a(i, j - 1) + a(i, j + 1));
    });
    sites.behind_use(0, step, [&] { exchange(right); });
    for_each_cell(u.owned(), [&, a = u.view()](auto const& at) { a[at] = next.view()[at]; });
  }
  return bits_of(u);
}

void run(std::string const& name, Runtime& runtime) {
  using program = std::string (*)(Communicator const&, call_sites const&);
  static std::map<std::string, program> const programs = {
      {"heat", heat},
      {"cube", cube},
      {"wave", wave},
      {"gray-scott", gray_scott},
      {"shallow-water", shallow_water},
      {"upwind", upwind},
      {"red-black", red_black},
      {"life", life},
      {"lattice", lattice},
      {"two-grids", two_grids},
      {"tiles", tiles},
  };
  print(runtime, "{}\n", programs.at(name)(runtime, call_sites()));
}

} // namespace
} // namespace seam::testing

int main(int argc, char** argv) {
  seam::Runtime runtime(argc, argv);
  seam::testing::run(argc > 1 ? argv[1] : "heat", runtime);
}
