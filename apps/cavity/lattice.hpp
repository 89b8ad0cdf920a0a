/// Lattice Boltzmann models with the directions of up to two axes: D2Q9 and D3Q19. The last axis is
/// x, the one before y.
#pragma once

#include <seam/seam.hpp>

#include <array>
#include <tuple>
#include <vector>

namespace cavity {

template <int D>
struct lattice {
  static constexpr int num_directions = D == 2 ? 9 : 19;
  static constexpr int y = D - 2, x = D - 1;
  using direction = std::array<int, D>;

  /// In lexicographic order: the opposite of direction q is num_directions - 1 - q.
  std::array<direction, num_directions> directions{};
  std::array<double, num_directions> weights{};

  constexpr lattice() {
    constexpr double rest = D == 2 ? 4.0 / 9 : 1.0 / 3;
    constexpr double straight = D == 2 ? 1.0 / 9 : 1.0 / 18, diagonal = 1.0 / 36;
    int q = 0;
    for (int number = 0; number < (D == 2 ? 9 : 27); ++number) {
      direction c{};
      int length = 0;
      for (int a = D, rest_of = number; a-- > 0; rest_of /= 3) {
        c[a] = rest_of % 3 - 1;
        length += c[a] * c[a];
      }
      if (length > 2)
        continue;
      directions[q] = c;
      weights[q++] = length == 0 ? rest : length == 1 ? straight : diagonal;
    }
  }
};

template <int D>
inline constexpr lattice<D> model{};

/// Populations of one cell, and what follows from them.
template <int D>
struct populations {
  static constexpr int count = lattice<D>::num_directions;
  std::array<double, count> of{};

  KOKKOS_FUNCTION double density() const {
    double sum = 0;
    for (double const each : of)
      sum += each;
    return sum;
  }

  KOKKOS_FUNCTION std::array<double, D> velocity() const {
    static constexpr auto directions = model<D>.directions;
    std::array<double, D> sum{};
    for (int q = 0; q < count; ++q)
      for (int a = 0; a < std::ssize(sum); ++a)
        sum[a] += of[q] * directions[q][a];
    double const mass = density();
    for (double& each : sum)
      each /= mass;
    return sum;
  }

  /// Moves all towards their equilibrium (Bhatnagar, Gross and Krook 1954).
  KOKKOS_FUNCTION void relax(double rate) {
    static constexpr auto with = model<D>;
    double const mass = density();
    auto const u = velocity();
    double square = 0;
    for (double const each : u)
      square += each * each;
    for (int q = 0; q < count; ++q) {
      double along = 0;
      for (int a = 0; a < std::ssize(u); ++a)
        along += with.directions[q][a] * u[a];
      double const balanced =
          with.weights[q] * mass * (1 + 3 * along + 4.5 * along * along - 1.5 * square);
      of[q] += rate * (balanced - of[q]);
    }
  }
};

/// The offsets from which populations stream to a cell. [directions]
template <int D>
std::vector<seam::stencil> sources() {
  std::vector<seam::stencil> all;
  for (auto const& c : model<D>.directions) {
    std::vector<int> back;
    for (int const step : c)
      back.push_back(-step);
    all.push_back(seam::at({back}));
  }
  return all;
}

/// A lid over resting walls, on a grid of cells[y] x cells[x]; periodic along other axes.
template <int D>
struct lid {
  seam::cell_index<D> cells;
  double speed; ///< along x [cells / step]

  /// The cells that have no walls beside them.
  seam::box<D> inside() const {
    seam::cell_index<D> beside{};
    beside[lattice<D>::y] = beside[lattice<D>::x] = 1;
    return seam::shrink(seam::box<D>{{}, cells}, beside, beside);
  }

  /// The population that streams in direction q to a cell, from the one behind.
  template <class View>
  KOKKOS_FORCEINLINE_FUNCTION static double streamed_to(View const& f, int q) {
    static constexpr auto directions = model<D>.directions;
    return std::apply([&](auto... step) { return f[q](-step...); }, directions[q]);
  }

  /// The population that arrives in direction q at a cell: from the cell behind, or thrown back at
  /// a wall halfway between two cells, faster by the lid (Ladd 1994).
  template <class View>
  KOKKOS_FORCEINLINE_FUNCTION double arriving(View const& f, int q,
                                              seam::cell_index<D> const& at) const {
    constexpr auto y = lattice<D>::y, x = lattice<D>::x;
    static constexpr auto of = model<D>;
    auto const& c = of.directions[q];
    double const streamed = streamed_to(f, q);
    double const thrown_back = f[lattice<D>::num_directions - 1 - q]();
    double const by_lid = thrown_back + 6 * of.weights[q] * c[x] * speed;
    bool const beside = ((c[x] > 0) & (at[x] < c[x])) | ((c[x] < 0) & (at[x] >= cells[x] + c[x]));
    bool const above = (c[y] < 0) & (at[y] >= cells[y] + c[y]);
    bool const below = (c[y] > 0) & (at[y] < c[y]);
    double const reflected = (above & !beside) ? by_lid : thrown_back;
    return (beside | above | below) ? reflected : streamed;
  }
};

/// Lets the populations that arrive at a cell collide there.
/// @param arriving  the population in direction q
/// @param rate      of relaxation, 1 / (3 viscosity + 1 / 2)
template <int D, class Cell, class Arriving>
KOKKOS_FORCEINLINE_FUNCTION void collide(Cell& cell, double rate, Arriving const& arriving) {
  populations<D> all;
#pragma GCC unroll 19
  for (int q = 0; q < all.count; ++q)
    all.of[q] = arriving(q);
  all.relax(rate);
#pragma GCC unroll 19
  for (int q = 0; q < all.count; ++q)
    cell[q] = all.of[q];
}

/// Adds a step of time: populations stream to the neighbors, and collide there.
template <int D>
void add_step(seam::Steps<D>& step, seam::Field<double, D>& f, lid<D> const& wall, double rate) {
  step.each("stream and collide", updates(f, sources<D>()),
            seam::by_place(
                wall.inside(),
                SEAM_KERNEL(auto cell) {
                  collide<D>(cell, rate, [&](int q) { return wall.streamed_to(cell, q); });
                },
                SEAM_KERNEL(auto cell, seam::place<D> const& here) {
                  collide<D>(cell, rate, [&](int q) { return wall.arriving(cell, q, here.index); });
                }));
}

/// Adds the velocity, in units of the lid's.
template <int D>
void add_velocity(seam::Steps<D>& measure, seam::Field<double, D> const& f,
                  seam::Field<double, D>& u, lid<D> const& wall) {
  measure.each(
      "velocity", writes(u), reads(f), SEAM_KERNEL(auto out, auto cell) {
        populations<D> all;
        for (int q = 0; q < all.count; ++q)
          all.of[q] = cell[q]();
        auto const velocity = all.velocity();
        out[0] = velocity[lattice<D>::x] / wall.speed;
        out[1] = velocity[lattice<D>::y] / wall.speed;
      });
}

} // namespace cavity
