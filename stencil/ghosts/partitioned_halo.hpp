/// Partitioned halos: threads mark cells as ready and query ghosts for arrival. A message leaves as
/// soon as all of its cells are ready, while other cells are still being computed.
///
///     auto halo = make_partitioned_halo(u);
///     halo.start();
///     for (box<2> const& tile : tiles) { // each owned cell once; several threads may share them
///       compute(tile);
///       halo.ready(tile);
///     }
///     for (box<2> const& tile : tiles) {
///       halo.wait(grid.read_by(tile)); // or arrived(), and another tile first
///       u.fill_borders(tile);          // ghosts beyond the domain
///       use(tile);
///     }
///     halo.wait();
///
/// Boxes are in indices relative to this rank's block, like those of a field's view(): the first
/// owned cell is 0 on each axis, ghosts lie around the owned cells. A box may hold any cells; cells
/// that the halo does not move are ignored.
///
/// Iterate::sweeps() does this for loops over two fields.
/// Source: [Holmes2021] sec. III-B.
#pragma once

#include <seam/exchange/halo/partitioned_exchange.hpp>
#include <seam/stencil/ghosts/halo.hpp>
#include <seam/stencil/space/halo_plan.hpp>

#include <vector>

namespace seam {
namespace detail {

/// A partitioned exchange whose edges read and fill boxes of cells.
class partitioned_boxes : public partitioned_exchange {
public:
  /// @param num_axes  of the fields' grid
  /// @param rounds    the boxes of their edges tell which cells each edge sends and receives
  /// @param marked    the cells that ready() marks
  /// Collective: over `over`.
  partitioned_boxes(char const* call, Communicator const& over, int num_axes,
                    std::vector<halo_round> const& rounds, box3 const& marked,
                    halo_fields const& fields);

protected:
  void ready(box3 const& cells);
  bool arrived(box3 const& cells);
  void wait(box3 const& cells);

private:
  partitioned_boxes(Halo whole, int num_axes, std::vector<box3> sources,
                    std::vector<box3> destinations);
  region marks_of(int destination, box3 const& cells) const;

  int num_axes_;
  std::vector<box3> sources_, destinations_; ///< of all rounds; destinations: marked cells
};

} // namespace detail

/// A persistent exchange of the ghosts of some fields of one grid, in parts that leave when their
/// cells are ready.
///
/// Threads: ready(), arrived(), wait(cells) and test() from any thread, start() and wait() by one.
template <int D>
class PartitionedHalo : public detail::partitioned_boxes {
public:
  /// Made by make_partitioned_halo and make_partitioned_reverse_halo.
  /// Collective: over `over`.
  PartitionedHalo(char const* call, Communicator const& over,
                  std::vector<detail::halo_round> const& rounds, box<D> const& marked,
                  halo_fields const& fields)
      : partitioned_boxes(call, over, D, rounds, detail::padded(marked), fields) {}

  /// Marks `cells` as ready: they have their values in all fields, and are not written before the
  /// exchange is complete. Owned cells count, in a reverse halo ghosts too; cells that no process
  /// needs may be left out.
  /// @throws usage_error  more cells are ready than a neighbor needs, or nothing is started; a halo
  ///         that was made in checked mode (see checks_are_on) finds each cell that is ready twice
  void ready(box<D> const& cells) { partitioned_boxes::ready(detail::padded(cells)); }

  /// Makes progress; true if all ghosts in `cells` that the halo brings have arrived: copies of
  /// cells of other processes, and, on periodic axes that this process has to itself, copies of its
  /// own cells. Owned cells and ghosts beyond borders of the domain are not waited for. In a
  /// reverse halo: true if all contributions have arrived.
  bool arrived(box<D> const& cells) { return partitioned_boxes::arrived(detail::padded(cells)); }

  /// Returns when arrived(cells). Reports a stall (see stall.hpp).
  void wait(box<D> const& cells) { partitioned_boxes::wait(detail::padded(cells)); }

  using partitioned_exchange::wait;
};

namespace detail {

/// A function that describes fields laid out as the grid's plans say.
template <class... Fields>
halo_fields alike(reduction how, Fields const&... fields) {
  return [how, &fields...] {
    auto const check = [](auto const& field) {
      if (!has_layout_of_grid(*field.shared()))
        refuse(
            "halo: field '" + field.name() +
            "' in partitions (expected a field on cells, with one component and the ghosts of the "
            "grid's neighborhood)");
    };
    (check(fields), ...);
    return in_halo(how, fields...)();
  };
}

} // namespace detail

/// The exchange that gives every ghost of the fields its owner's value.
/// @throws usage_error  as make_halo(); a field lies on faces or corners, has several components or
///         ghosts of another width than the grid's neighborhood (on all ranks)
/// Collective: over the fields' grid.
template <class T, int D, class... More>
PartitionedHalo<D> make_partitioned_halo(Field<T, D>& first, More&... more) {
  Grid<D> const& grid = first.grid();
  return {"make_partitioned_halo", grid.graph(), grid.halo_parts(), first.owned(),
          detail::alike(reduction::replace, first, more...)};
}

/// The exchange that combines every ghost into its owner, in a fixed order.
/// @throws usage_error  as make_reverse_halo(), on all ranks
/// Collective: over the fields' grid.
template <class T, int D, class... More>
PartitionedHalo<D> make_partitioned_reverse_halo(reduction how, Field<T, D>& first, More&... more) {
  Grid<D> const& grid = first.grid();
  return {"make_partitioned_reverse_halo",
          grid.graph(),
          {grid.halo_edges().inverse()},
          detail::unpadded<D>(first.shared()->local()),
          detail::alike(how, first, more...)};
}

} // namespace seam
