/// Evolution: the loop of the game. Ranks exchange ghosts once for several generations, and compute
/// these part by part, where cells are awake.
///
///     evolution loop(cells, rule{});
///     loop.run(100);
#pragma once

#include "generation.hpp"
#include "kernel.hpp"
#include "patches.hpp"

#include <seam/grid.hpp>

#include <array>
#include <cstdint>

namespace life {

/// Whether parts of a board in which nothing moves are left out.
enum class rest { sleep, none };

/// Computes generation after generation. The steady state allocates nothing and waits for neighbors
/// only.
/// Threads: one calls the members; cells are computed by all threads of the rank.
class evolution {
public:
  /// @param cells  outlives this; between runs its cells may be read
  /// Collective: over the grid.
  evolution(generation& cells, rule const& game, rest quiet = rest::sleep);

  /// Replaces the cells by those `count` generations later.
  /// Local to the neighborhood.
  void run(std::int64_t count);

  std::int64_t num_generations() const noexcept { return num_generations_; }

  /// Counts as many generations as done.
  void continue_at(std::int64_t num_generations) noexcept { num_generations_ = num_generations; }

private:
  void advance(int generations);

  generation& cells_;
  kernel kernel_;
  bool life_from_nothing_, sleeps_;
  patches patches_;
  std::array<seam::Halo, 2> halos_; ///< of both fields
  std::int64_t num_generations_ = 0;
};

} // namespace life
