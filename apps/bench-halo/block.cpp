#include "block.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

namespace halo_bench {
namespace {

constexpr double no_number = -1;

/// The global number of the cell at position `cell`, wrapped around the periodic domain.
double number_of(block const& all, std::array<std::int64_t, 3> cell) {
  std::int64_t number = 0;
  for (int a = 0; a < 3; ++a) {
    std::int64_t const extent = all.n * all.processes[a];
    number = number * extent + (cell[a] + extent) % extent;
  }
  return static_cast<double>(number);
}

double number_at(block const& all, std::int64_t i, std::int64_t j, std::int64_t k) {
  return number_of(all, {all.place[0] * all.n + i - 1, all.place[1] * all.n + j - 1,
                         all.place[2] * all.n + k - 1});
}

template <class Visit>
void for_each(cells const& box, Visit visit) {
  for (std::int64_t i = box.lo[0]; i < box.lo[0] + box.extent[0]; ++i)
    for (std::int64_t j = box.lo[1]; j < box.lo[1] + box.extent[1]; ++j)
      for (std::int64_t k = box.lo[2]; k < box.lo[2] + box.extent[2]; ++k)
        visit(i, j, k);
}

/// Calls move(offset of the row in the block, number of the row's first cell in the box, cells in the row).
template <class Move>
void move_rows(block const& of, cells const& box, Move move) {
  auto const each = [&](auto count) {
    std::int64_t cell = 0;
    for (std::int64_t i = box.lo[0]; i < box.lo[0] + box.extent[0]; ++i)
      for (std::int64_t j = box.lo[1]; j < box.lo[1] + box.extent[1]; ++j, cell += count)
        move(of.index(i, j, box.lo[2]), cell, count);
  };
  if (box.extent[2] == 1)
    each(std::integral_constant<std::int64_t, 1>()); // which compilers copy as one number
  else
    each(box.extent[2]);
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
    for (std::int64_t i = low.lo[0]; i < low.lo[0] + low.extent[0]; ++i)
      for (std::int64_t j = low.lo[1]; j < low.lo[1] + low.extent[1]; ++j) {
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
  for (int i = -1; i <= 1; ++i)
    for (int j = -1; j <= 1; ++j)
      for (int k = -1; k <= 1; ++k) {
        int const distance = std::abs(i) + std::abs(j) + std::abs(k);
        if (distance == 1 || (distance > 1 && which == neighbors::moore))
          all.push_back({i, j, k});
      }
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
    box.extent[a] = to[a] == 0 ? of.n : 1;
  }
  return box;
}

cells ghosts(block const& of, direction const& from) {
  cells box = rim(of, from);
  for (int a = 0; a < 3; ++a)
    box.lo[a] += from[a];
  return box;
}

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
  for_each({{1, 1, 1}, {all.n, all.n, all.n}},
           [&](auto i, auto j, auto k) { all.data[all.index(i, j, k)] = number_at(all, i, j, k); });
}

std::string first_wrong_ghost(block const& all) {
  std::string wrong;
  for (direction const& from : all.directions())
    for_each(ghosts(all, from), [&](auto i, auto j, auto k) {
      double const expected = number_at(all, i, j, k), found = all.data[all.index(i, j, k)];
      if (wrong.empty() && found != expected)
        wrong = fmt::format("ghost ({}, {}, {}) holds {} (expected {})", i - 1, j - 1, k - 1, found,
                            expected);
    });
  return wrong;
}

rival bare_copy() { return rival::by<copy_of_ghosts>("bare copy", seam::role::limit); }

} // namespace halo_bench
