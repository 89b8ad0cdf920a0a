/// Loops over cells on Kokkos' host threads, or on those of an endpoint. Labels, for Kokkos'
/// profiling tools, have at most 15 characters: strings of that length need no allocation.
///
/// Kokkos' own templates are instantiated in parallel.cpp alone, which saves programs their
/// compiling: a loop calls a function object through a pointer, once for each part of its cells.
#pragma once

#include <seam/exchange/steps/regions/three_axes.hpp>

#include <algorithm>
#include <cstdint>
#include <vector>

namespace seam::detail {

/// A reference to a function object that takes the number of a part.
class part_visitor {
public:
  /// @param visit  outlives this
  template <class Visit>
  part_visitor(Visit const& visit)
      : visit_(&visit),
        call_([](void const* object, int part) { (*static_cast<Visit const*>(object))(part); }) {}

  void operator()(int part) const { call_(visit_, part); }

private:
  void const* visit_;
  void (*call_)(void const*, int part);
};

/// The number of threads of loops that the calling thread starts.
int num_loop_threads();

/// Calls visit(part) for each of `count` parts, in any order, on all threads; returns when all are
/// done, or throws the first exception of one.
void parallel_for_parts(char const* label, int count, part_visitor visit);

/// As above, each part by the first thread that is free.
void parallel_for_parts_in_turn(char const* label, int count, part_visitor visit);

/// A box cut across its longest axis into a few parts for each thread, numbered.
template <int D>
class parts_of {
public:
  explicit parts_of(box<D> const& all) : all_(all) {
    for (int a = 1; a < D; ++a)
      if (all.extent(a) > all.extent(axis_))
        axis_ = a;
    auto const most = std::int64_t{parts_for_a_thread} * num_loop_threads();
    num_parts_ = all.is_empty() ? 0 : static_cast<int>(std::min(all.extent(axis_), most));
  }

  int size() const noexcept { return num_parts_; }

  box<D> operator[](int part) const {
    box<D> cells = all_;
    cells.lo[axis_] = all_.lo[axis_] + first_cell_of(all_.extent(axis_), num_parts_, part);
    cells.hi[axis_] = all_.lo[axis_] + first_cell_of(all_.extent(axis_), num_parts_, part + 1);
    return cells;
  }

private:
  static constexpr int parts_for_a_thread = 4;

  box<D> all_;
  int axis_ = 0, num_parts_ = 0;
};

/// The threads that carry out a loop: all, or the calling one if it runs inside a loop already.
enum class by_threads { all, caller };

/// Calls visit(cell) for each of `cells`, in any order, on all threads; returns when all are done.
template <int D, class Visit>
void parallel_for_cells(char const* label, box<D> const& cells, Visit const& visit) {
  parts_of<D> const parts(cells);
  parallel_for_parts(label, parts.size(), [&](int p) { for_each_cell(parts[p], visit); });
}

/// Calls visit(tile) for each of `tiles`, in any order, on all threads as they become free.
template <int D, class Visit>
void parallel_for_tiles(char const* label, std::vector<box<D>> const& tiles, Visit const& visit) {
  parallel_for_parts_in_turn(label, static_cast<int>(tiles.size()),
                             [&](int t) { visit(tiles[t]); });
}

} // namespace seam::detail
