#include <seam/mesh/space/mesh_tiling.hpp>

#include <seam/exchange/numbering/order.hpp>
#include <seam/exchange/steps/run/parallel.hpp>

#include <algorithm>
#include <numeric>

namespace seam::detail {
namespace {

/// Entities of a tile: as many as fit into a second-level cache with some fields, in at least four
/// tiles for each of several threads.
std::int64_t chosen_extent(local_id num_owned) {
  constexpr std::int64_t least = 256, most = 8192;
  int const threads = num_loop_threads();
  return threads == 1 ? most : std::clamp<std::int64_t>(num_owned / (4 * threads), least, most);
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
  int const num_threads = num_loop_threads();
  std::int64_t const each = extent > 0 ? extent : chosen_extent(of.num_owned);
  std::int64_t const num_tiles = (of.num_owned + each - 1) / each;
  for (std::int64_t t = 0; t < num_tiles; ++t) {
    auto const first = static_cast<local_id>(t * each),
               end = static_cast<local_id>(std::min<std::int64_t>(of.num_owned, (t + 1) * each));
    id_list ids(end - first);
    std::iota(ids.begin(), ids.end(), first);
    made.tiles.push_back(list_of(std::move(ids)));
    auto const on_rim = std::ranges::lower_bound(rim, first);
    bool const is_on_rim = on_rim != rim.end() && *on_rim < end;
    (is_on_rim ? shares_.in_order : shares_.of_threads[t * num_threads / num_tiles])
        .push_back(num_columns_++);
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
