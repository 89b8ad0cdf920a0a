#include <seam/exchange/communicator/topology.hpp>

#include <seam/exchange/communicator/detail/cartesian_structure.hpp>

#include <utility>

namespace seam {

Topology::Topology(topology_kind kind, std::vector<edge> sources, std::vector<edge> destinations)
    : kind_(kind), sources_(std::move(sources)), destinations_(std::move(destinations)) {}

Topology Topology::complete() { return {topology_kind::complete, {}, {}}; }

Topology Topology::bipartite() { return {topology_kind::bipartite, {}, {}}; }

Topology Topology::graph(std::vector<edge> sources, std::vector<edge> destinations) {
  return {topology_kind::graph, std::move(sources), std::move(destinations)};
}

Topology Topology::unweighted() const {
  Topology plain = *this;
  for (auto* const edges : {&plain.sources_, &plain.destinations_})
    for (edge& listed : *edges)
      listed.weight = 1;
  plain.is_weighted_ = false;
  return plain;
}

std::span<edge const> Topology::sources() const noexcept { return sources_; }
std::span<edge const> Topology::destinations() const noexcept { return destinations_; }

Topology Topology::inverse() const { return with_edges(destinations_, sources_); }

Topology Topology::with_edges(std::vector<edge> sources, std::vector<edge> destinations) const {
  Topology other(kind_, std::move(sources), std::move(destinations));
  other.is_weighted_ = is_weighted_;
  return other;
}

bool operator==(Topology const& a, Topology const& b) {
  return a.kind_ == b.kind_ && a.sources_ == b.sources_ && a.destinations_ == b.destinations_;
}

std::optional<cartesian_structure::vector> cartesian_structure::moved(vector const& at,
                                                                      vector const& by) const {
  vector point(at.size());
  for (int i = 0; i < std::ssize(at); ++i) {
    int const sum = at[i] + by[i];
    bool const inside = sum >= 0 && sum < extent[i];
    if (!inside && !periodic[i])
      return std::nullopt;
    point[i] = inside ? sum : ((sum % extent[i]) + extent[i]) % extent[i];
  }
  return point;
}

int cartesian_structure::rank_at(vector const& point) const {
  std::int64_t rank = 0;
  for (int i = 0; i < std::ssize(point); ++i)
    rank += point[i] * stride[i];
  return static_cast<int>(rank);
}

} // namespace seam
