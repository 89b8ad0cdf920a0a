#include <seam/mesh/space/mesh_tiling.hpp>

#include <seam/exchange/numbering/order.hpp>
#include <seam/exchange/steps/run/parallel.hpp>

#include <algorithm>
#include <numeric>

namespace seam::detail {
namespace {

/// Entities of a tile: as many as fit into a second-level cache with some fields, in at least four
/// tiles for each of several threads, or of one that computes some while copies travel.
std::int64_t chosen_extent(local_id num_owned, bool has_rim) {
  constexpr std::int64_t least = 256, most = 8192;
  int const threads = num_loop_threads();
  return threads == 1 && !has_rim
             ? most
             : std::clamp<std::int64_t>(num_owned / (4 * threads), least, most);
}

/// Runs of `each` entities from `first` to `end`.
std::vector<step_region> cut(local_id first, local_id end, std::int64_t each) {
  std::vector<step_region> runs;
  while (first < end) {
    id_list ids(std::min<std::int64_t>(end - first, each));
    std::iota(ids.begin(), ids.end(), first);
    first += static_cast<local_id>(ids.size());
    runs.push_back(list_of(std::move(ids)));
  }
  return runs;
}

} // namespace

mesh_tiling::mesh_tiling(Mesh const& mesh, std::int64_t extent, step_dataflow const& flow,
                         computed_regions const& regions)
    : flow_(flow), regions_(regions) {
  shares_.of_threads.resize(num_loop_threads());
  for (int dimension = 0; dimension <= mesh.num_dimensions(); ++dimension)
    add_tiles(mesh.entities(dimension), extent);
}

void mesh_tiling::add_tiles(mesh_entities const& of, std::int64_t extent) {
  tiles_of_kind made{num_columns_, {}};
  id_list rim = of.copies.ranks2entities.ab2b;
  keep_distinct(rim);
  std::int64_t const each = extent > 0 ? extent : chosen_extent(of.num_owned, !rim.empty());
  auto const owned = cut(0, of.num_owned, each);
  for (std::size_t t = 0; t < owned.size(); ++t) {
    auto const on_rim = std::ranges::lower_bound(rim, owned[t].ids().front());
    bool const is_on_rim = on_rim != rim.end() && *on_rim <= owned[t].ids().back();
    (is_on_rim ? shares_.in_order
               : shares_.of_threads[t * shares_.of_threads.size() / owned.size()])
        .push_back(num_columns_++);
    made.tiles.push_back(owned[t]);
  }
  for (step_region const& copies : cut(of.num_owned, of.num_local(), each)) {
    shares_.in_order.push_back(num_columns_++);
    made.tiles.push_back(copies);
  }
  kinds_.push_back(std::move(made));
}

std::vector<step_tile> mesh_tiling::of(int instance) {
  std::vector<step_tile> pieces;
  auto const& [first_column, tiles] = kinds_[flow_.kernel_of(instance).kind];
  step_region const& region = regions_[instance];
  if (!region.is_list())
    return pieces;
  for (int t = 0; t < std::ssize(tiles); ++t)
    if (auto piece = intersection(region, tiles[t]); !piece.is_empty())
      pieces.push_back({first_column + t, std::move(piece)});
  return pieces;
}

} // namespace seam::detail
