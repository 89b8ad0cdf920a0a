/// Needed values: which values of an array a rank needs beyond its own, and
/// which ranks own them.
///
/// All boxes are in global indices. Along periodic axes these go on beyond the domain: index n is
/// another image of index 0. The values around a rank's block B fall into zones, one for each
/// direction in {-1, 0, 1}^D; each zone is needed as one box. What lies beyond a border of the
/// domain is computed from its mirror image, which is needed in its place:
///
///     mirror | border ||  read      axis after axis, the last one first: a corner beyond two
///      <------- || ------->         borders is computed from a ghost beyond the first one
///
/// Nothing here depends on how thick blocks are: a zone may have several owners on an axis.
#pragma once

#include <seam/stencil/detail/field_state.hpp>
#include <seam/stencil/grid.hpp>

#include <map>
#include <vector>

namespace seam::detail {

/// Ghosts beyond one border of the domain.
template <int D>
struct border_ghosts {
  int axis;
  seam::side side;
  box<D> ghosts;
};

/// The parts of `all` in the zones around `block`, itself included.
template <int D>
std::vector<box<D>> cut_by_zones(box<D> const& all, box<D> const& block);

/// The mirror image of `ghosts`, for values at `on` of `grid`.
template <int D>
box<D> mirror_image(Grid<D> const& grid, centering on, border_ghosts<D> const& beyond);

/// Collects what one rank reads of one component of an array.
template <int D>
class needed_values {
public:
  /// @param owned  the values of the rank
  needed_values(Grid<D> const& grid, centering on, box<D> const& owned)
      : grid_(grid), on_(on), owned_(owned), domain_(grid.domain(on)) {}

  /// Adds values that are read, whether owned, ghosts or beyond borders.
  /// @throws usage_error  the mirror image of one lies beyond the opposite border
  void add(box<D> const& read) { add_from(D - 1, read); }

  /// The values that other ranks own, and other images of own values: disjoint boxes.
  std::vector<box<D>> received() const;

  /// The ghosts beyond borders, in the order in which they are filled.
  std::vector<border_ghosts<D>> const& beyond_borders() const noexcept { return beyond_; }

  /// The smallest box of all values in the domain that are read, or from which ghosts are filled.
  box<D> const& inside() const noexcept { return inside_; }

  /// The smallest box of all that has been added, with the mirror images.
  box<D> const& all() const noexcept { return all_; }

private:
  void add_from(int axis, box<D> const& read);
  void add_beyond(int axis, seam::side side, box<D> const& read);

  Grid<D> const& grid_;
  centering on_;
  box<D> owned_, domain_, inside_, all_;
  std::map<cell_index<D>, box<D>> zones_; ///< by direction
  std::vector<border_ghosts<D>> beyond_;
};

/// Values that one rank owns, as part of a box that another one needs.
template <int D>
struct owned_part {
  int owner;
  box<D> needed, owned; ///< as the receiver and as the owner number them
};

/// Divides `needed`, which lies in the domain along axes that are not periodic, by owners.
template <int D>
std::vector<owned_part<D>> owned_parts(Grid<D> const& grid, centering on, box<D> const& needed);

/// The ranks whose blocks lie at most `reach` values away from the block of `rank` on each axis,
/// ascending, `rank` included.
template <int D>
std::vector<int> ranks_within(Grid<D> const& grid, int rank, cell_index<D> const& reach);

} // namespace seam::detail
