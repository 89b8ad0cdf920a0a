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

#include <seam/stencil/space/border.hpp>
#include <seam/stencil/space/grid_space.hpp>

#include <array>
#include <cstdint>
#include <map>
#include <vector>

namespace seam::detail {

/// Ghosts beyond one border of the domain, in global indices.
using border_ghosts = border<3>;

/// The parts of `all` in the zones around `block`, itself included.
std::vector<box3> cut_by_zones(box3 const& all, box3 const& block);

/// The values next to each border that conditions see, whichever ghost they fill. [axes][low, high]
using seen_values = std::array<std::array<std::int64_t, 2>, 3>;

/// The mirror image of `ghosts`, for values at `on` of `grid`.
box3 mirror_image(grid_space const& grid, centering on, border_ghosts const& beyond);

/// What a condition sees inside from `ghosts`: the mirror image, and `num_seen` values next to the
/// border.
box3 seen_from(grid_space const& grid, centering on, border_ghosts const& beyond,
               std::int64_t num_seen);

/// Collects what one rank reads of one component of an array.
class needed_values {
public:
  /// @param owned  the values of the rank
  needed_values(grid_space const& grid, centering on, box3 const& owned)
      : grid_(grid), on_(on), owned_(owned), domain_(grid.domain(on)) {}

  /// Adds values that are read, whether owned, ghosts or beyond borders.
  /// @param seen  by conditions, beside mirror images; no more than an axis has
  /// @throws usage_error  the mirror image of one lies beyond the opposite border
  void add(box3 const& read, seen_values const& seen = {}) { add_from(2, read, seen); }

  /// The values that other ranks own, and other images of own values: disjoint boxes.
  std::vector<box3> received() const;

  /// The ghosts beyond borders, in the order in which they are filled.
  std::vector<border_ghosts> const& beyond_borders() const noexcept { return beyond_; }

  /// The smallest box of all values in the domain that are read, or from which ghosts are filled.
  box3 const& inside() const noexcept { return inside_; }

  /// The smallest box of all that has been added, with the mirror images.
  box3 const& all() const noexcept { return all_; }

private:
  void add_from(int axis, box3 const& read, seen_values const& seen);
  void add_beyond(int axis, seam::side side, box3 const& read, seen_values const& seen);

  grid_space const& grid_;
  centering on_;
  box3 owned_, domain_, inside_, all_;
  std::map<index3, box3> zones_; ///< by direction
  std::vector<border_ghosts> beyond_;
};

/// Values that one rank owns, as part of a box that another one needs.
struct owned_part {
  int owner;
  box3 needed, owned; ///< as the receiver and as the owner number them
};

/// Divides `needed`, which lies in the domain along axes that are not periodic, by owners.
std::vector<owned_part> owned_parts(grid_space const& grid, centering on, box3 const& needed);

/// The ranks whose blocks lie at most `reach` values away from the block of `rank` on each axis,
/// ascending, `rank` included.
std::vector<int> ranks_within(grid_space const& grid, int rank, index3 const& reach);

} // namespace seam::detail
