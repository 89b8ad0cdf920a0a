/// A plane without borders: cells live wherever a pattern grows, and only parts in which something
/// moves are computed.
///
///     plane cells(runtime);
///     put(start, cells);
///     cells.run(1'000'000, kernel(rule{}));
#pragma once

#include "kernel.hpp"
#include "tiles.hpp"

#include <seam/exchange.hpp>
#include <seam/grid.hpp>
#include <seam/sparse.hpp>

#include <cstdint>
#include <optional>
#include <vector>

namespace life {

/// The least box of rows and columns around live cells.
using cell_box = seam::box<2>;

/// The live cells of an unbounded plane, divided among ranks. Rules give no birth without neighbors.
/// Threads: one calls the members; cells are computed by all threads of the rank.
class plane {
public:
  /// Dead cells.
  /// Collective: over `over`.
  explicit plane(seam::Communicator const& over);

  seam::Communicator const& base() const noexcept { return over_; }

  /// Sets one more run of live cells, before the first generation. The same on all ranks.
  /// Local.
  void set(run_of_cells const& run);

  /// Replaces the cells by those `count` generations later.
  /// @throws usage_error  memory is short on a rank (on all ranks)
  /// Collective: over the ranks.
  /// Cost: memory and time for tiles in which cells live or change.
  void run(std::int64_t count, kernel const& game);

  /// The tiles of this rank in which cells may live. Local.
  std::vector<tile const*> own_tiles() const;

  /// Replaces all cells by those of some tiles, whichever rank brings them.
  /// Collective: over the ranks.
  void take(std::vector<tile_cells> const& brought);

private:
  void advance(int generations, kernel const& game);
  void tell_readers();
  void hear_owners();
  void wake(int generations);

  seam::Communicator over_;
  tile_map tiles_;
  seam::SparseExchange exchange_;
  std::vector<tile*> awake_;
  std::vector<seam::box<1>> each_awake_; ///< numbers in awake_
  int last_generations_ = 0;
  std::int64_t num_turns_ = 0;
};

/// Checks that a pattern has no more tiles with live cells than memory is meant for.
/// @throws usage_error  it has more
/// Local.
void check_room(pattern const& start);

/// Sets the live cells of `start`, whose upper left corner gets row 0 and column 0.
/// Local.
void put(pattern const& start, plane& cells);

/// Calls visit(run_of_cells) for the live cells of a tile, row by row; a run ends with its word.
/// Local.
template <class Visit>
void for_each_run(tile const& of, Visit const& visit) {
  for (std::int64_t row = 0; row < rows_of_tile; ++row)
    for (std::int64_t number = 0; number < words_of_tile; ++number)
      for_each_run_of_word(of.now()[row * words_of_tile + number], [&](int bit, int length) {
        visit(run_of_cells{of.at.row * rows_of_tile + row,
                           of.at.column * columns_of_tile + number * bits_of_word + bit, length});
      });
}

/// Number of live cells.
/// Collective: over the ranks.
std::int64_t population(plane const& cells);

/// The box around the live cells; none if there are none. The same on all ranks.
/// Collective: over the ranks.
std::optional<cell_box> extent(plane const& cells);

/// The live cells of all ranks, cropped, on rank 0; others get none.
/// Collective: over the ranks.
pattern gather(plane const& cells);

} // namespace life
