#include "block.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

namespace halo_bench {
namespace {

constexpr double no_number = -1;

/// The number of a cell in the whole domain, which is periodic.
double number_at(block const& all, seam::cell_index<3> const& cell) {
  std::int64_t number = 0;
  for (int a = 0; a < 3; ++a) {
    std::int64_t const extent = all.n * all.processes[a];
    number = number * extent + (all.place[a] * all.n + cell[a] - 1 + extent) % extent;
  }
  return static_cast<double>(number);
}

/// Calls move(offset of the row in the block, number of the row's first cell in the box, cells in the row).
template <class Move>
void move_rows(block const& of, cells const& box, Move move) {
  auto const each = [&](auto count) {
    std::int64_t cell = 0;
    for (std::int64_t i = box.lo[0]; i < box.hi[0]; ++i)
      for (std::int64_t j = box.lo[1]; j < box.hi[1]; ++j, cell += count)
        move(of.index(i, j, box.lo[2]), cell, count);
  };
  if (box.extent(2) == 1)
    each(std::integral_constant<std::int64_t, 1>()); // which compilers copy as one number
  else
    each(box.extent(2));
}

/// The limit: copies every ghost once from the same block, without messages and packing, so that every
/// cache line is fetched once.
class copy_of_ghosts final : public way {
public:
  explicit copy_of_ghosts(block const& of) : block_(of) {
    for (direction const& to : of.directions())
      sides_.push_back({to, rim(of, to), ghosts(of, opposite(to))});
  }

  void exchange() override {
    for (side const& border : sides_)
      if (border.to[2] == 0)
        copy(block_, border.from, border.into);
      else if (border.to[2] > 0)
        copy_both_ends(border.into);
  }

private:
  struct side {
    direction to;
    cells from, into;
  };

  /// Copies the ghosts at both ends of axis 2; each row of cells holds the sources of both.
  void copy_both_ends(cells const& low) {
    for (std::int64_t i = low.lo[0]; i < low.hi[0]; ++i)
      for (std::int64_t j = low.lo[1]; j < low.hi[1]; ++j) {
        double* const row = block_.data + block_.index(i, j, 0);
        double const* const from = row + way_to_owner(i) * (block_.n + 2) * (block_.n + 2) +
                                   way_to_owner(j) * (block_.n + 2);
        row[0] = from[block_.n];
        row[block_.n + 1] = from[1];
      }
  }

  /// The distance on an axis from a cell to the owned cell that it copies; 0 for an owned cell.
  std::int64_t way_to_owner(std::int64_t at) const {
    return at == 0 ? block_.n : at == block_.n + 1 ? -block_.n : 0;
  }

  block block_;
  std::vector<side> sides_;
};

} // namespace

std::vector<direction> block::directions() const {
  std::vector<direction> all;
  seam::for_each_cell(cells{{-1, -1, -1}, {2, 2, 2}}, [&](auto const& to) {
    std::int64_t const distance = std::abs(to[0]) + std::abs(to[1]) + std::abs(to[2]);
    if (distance == 1 || (distance > 1 && which == neighbors::moore))
      all.push_back(to);
  });
  return all;
}

int block::neighbor(direction const& to) const {
  int rank = 0;
  for (int a = 0; a < 3; ++a)
    rank = rank * processes[a] + (place[a] + to[a] + processes[a]) % processes[a];
  return rank;
}

cells rim(block const& of, direction const& to) {
  cells box;
  for (int a = 0; a < 3; ++a) {
    box.lo[a] = to[a] > 0 ? of.n : 1;
    box.hi[a] = to[a] < 0 ? 2 : of.n + 1;
  }
  return box;
}

cells ghosts(block const& of, direction const& from) { return seam::shift(rim(of, from), from); }

direction opposite(direction const& to) { return {-to[0], -to[1], -to[2]}; }

void pack(block const& from, cells const& box, double* into) {
  move_rows(from, box, [&](std::int64_t row, std::int64_t cell, std::int64_t count) {
    std::copy_n(from.data + row, count, into + cell);
  });
}

void unpack(double const* from, block const& into, cells const& box) {
  move_rows(into, box, [&](std::int64_t row, std::int64_t cell, std::int64_t count) {
    std::copy_n(from + cell, count, into.data + row);
  });
}

void copy(block const& inside, cells const& from, cells const& into) {
  std::int64_t const way = inside.index(from.lo[0], from.lo[1], from.lo[2]) -
                           inside.index(into.lo[0], into.lo[1], into.lo[2]);
  move_rows(inside, into, [&](std::int64_t row, std::int64_t, std::int64_t count) {
    std::copy_n(inside.data + row + way, count, inside.data + row);
  });
}

void number_cells(block const& all) {
  std::int64_t const edge = all.n + 2;
  std::fill_n(all.data, edge * edge * edge, no_number);
  seam::for_each_cell(rim(all, {}), [&](auto const& at) {
    all.data[all.index(at[0], at[1], at[2])] = number_at(all, at);
  });
}

std::string first_wrong_ghost(block const& all) {
  std::string wrong;
  for (direction const& from : all.directions())
    seam::for_each_cell(ghosts(all, from), [&](auto const& at) {
      double const expected = number_at(all, at), found = all.data[all.index(at[0], at[1], at[2])];
      if (wrong.empty() && found != expected)
        wrong = fmt::format("ghost ({}, {}, {}) holds {} (expected {})", at[0] - 1, at[1] - 1,
                            at[2] - 1, found, expected);
    });
  return wrong;
}

rival bare_copy() { return rival::by<copy_of_ghosts>("bare copy", seam::role::limit); }

} // namespace halo_bench
