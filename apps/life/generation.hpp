/// A generation on the board, and room for the next: setting and counting cells.
#pragma once

#include "packing.hpp"

#include <seam/grid.hpp>

#include <array>
#include <cstdint>

namespace life {

/// The cells of a board in words, divided among ranks; rows downwards. Ghosts are as deep as there
/// are generations between two exchanges.
class generation {
public:
  using field = seam::Field<word, 2>;

  static constexpr int most_depth = 16;

  /// Dead cells.
  /// @throws usage_error  as Grid: there are fewer cells than ranks (on all ranks)
  /// Collective: over `over`.
  generation(seam::Communicator const& over, board const& where, int depth = most_depth);

  seam::Grid<2> const& grid() const noexcept { return grid_; }
  board const& where() const noexcept { return where_; }
  life::layout const& layout() const noexcept { return layout_; }

  /// The cells, and the words that get the next generation, which advance() makes the present one.
  field& now() noexcept { return fields_[present_]; }
  field const& now() const noexcept { return fields_[present_]; }
  field& next() noexcept { return fields_[1 - present_]; }
  void advance() noexcept { present_ = 1 - present_; }

  /// Both fields, 0 and 1, and which of them is the present one.
  field& field_of(int number) noexcept { return fields_[number]; }
  int present() const noexcept { return present_; }

private:
  board where_;
  life::layout layout_;
  seam::Grid<2> grid_;
  std::array<field, 2> fields_;
  int present_ = 0;
};

/// Sets the live cells of `start`, in the middle of the board.
/// Local.
void put(pattern const& start, generation& cells);

/// Number of live cells on the whole board.
/// Collective: over the grid.
std::int64_t population(generation const& cells);

} // namespace life
