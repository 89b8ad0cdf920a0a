#include <seam/stencil/space/ghost_messages.hpp>

#include <seam/exchange/steps/flow/step_dataflow.hpp>
#include <seam/stencil/space/grid_kernels.hpp>

#include <algorithm>
#include <map>

namespace seam::detail {
namespace {

/// What a rank needs, by owners.
ranks2parts by_owners(std::vector<needed_box> const& needed) {
  ranks2parts parts;
  for (auto const& [number, grid, on, part] : needed)
    for (owned_part const& of_owner : owned_parts(*grid, on, part))
      parts[of_owner.owner].push_back({number, of_owner.needed, of_owner.owned});
  return parts;
}

/// A bound of the distance between a block and what its rank needs. The same on all ranks.
index3 reach_of(step_dataflow const& flow) {
  std::vector<index3> reaches; // of kernels
  for (step_kernel const& kernel : flow.program().kernels) {
    auto const width = reach_of(kernel);
    reaches.push_back({width.of(0) + 1, width.of(1) + 1, width.of(2) + 1});
  }
  std::map<int, index3> segment2sum;
  index3 most{};
  for (step_instance const& instance : flow.instances()) {
    if (instance.pass > 0 && flow.program().kernels[instance.kernel].order.is_on)
      continue; // of other blocks
    index3& sum = segment2sum[instance.segment];
    for (int a = 0; a < 3; ++a) {
      sum[a] += reaches[instance.kernel][a];
      most[a] = std::max(most[a], sum[a] + 2);
    }
  }
  return most;
}

} // namespace

step_partners partners_within(grid_space const& grid, index3 const& reach,
                              needed_by_rank const& needed_by) {
  step_partners made;
  made.arriving = by_owners(needed_by(grid.rank()));
  for (int const other : ranks_within(grid, grid.rank(), reach)) {
    if (other == grid.rank())
      continue;
    auto parts = by_owners(needed_by(other));
    if (auto const own = parts.find(grid.rank()); own != parts.end())
      made.leaving.emplace(other, std::move(own->second));
  }
  return made;
}

step_partners grid_space::partners(
    step_dataflow const& flow,
    std::function<std::vector<asked_part>(int rank)> const& needed_by) const {
  index3 const reach = size() > 1 ? reach_of(flow) : index3{};
  return partners_within(*this, reach, [&](int rank) {
    std::vector<needed_box> boxes;
    for (asked_part const& part : needed_by(rank))
      boxes.push_back({part.number, &static_cast<grid_space const&>(part.field->over()),
                       centering{part.field->kind()}, part.needed.box()});
    return boxes;
  });
}

} // namespace seam::detail
