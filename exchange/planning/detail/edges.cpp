#include <seam/exchange/planning/detail/edges.hpp>

#include <seam/exchange/ground/error.hpp>
#include <seam/exchange/planning/alltoallw.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>

namespace seam::detail {
namespace {

/// Makes one allocation, or two if the standard library is older than that of GCC 12.
std::shared_ptr<int[]> memory_for(std::ptrdiff_t count) {
#ifdef __cpp_lib_smart_ptr_for_overwrite
  return std::make_shared_for_overwrite<int[]>(count);
#else
  return std::shared_ptr<int[]>(new int[count]);
#endif
}

} // namespace

kept_counts::kept_counts(std::span<int const> given) : size_(std::ssize(given)) {
  if (size_ > std::ssize(few_))
    many_ = memory_for(size_);
  std::ranges::copy(given, many_ ? many_.get() : few_.data());
}

std::span<int const> kept_counts::span() const noexcept {
  return {many_ ? many_.get() : few_.data(), static_cast<std::size_t>(size_)};
}

namespace {

bool is_bipartite(collective_edges const& over) { return over.rank == MPI_PROC_NULL; }

void check_root(collective_edges const& over, int root) {
  bool const on_own_side = root == MPI_ROOT || root == MPI_PROC_NULL;
  bool const exists = root >= 0 && root < over.num_peers;
  if (!exists && !(is_bipartite(over) && on_own_side))
    refuse(MPI_ERR_ROOT,
           fmt::format("collective: root {} (expected 0 to {})", root, over.num_peers - 1));
}

std::vector<int> edges_with(std::span<edge const> edges, int rank) {
  std::vector<int> indices;
  for (int e = 0; e < std::ssize(edges); ++e)
    if (edges[e].rank == rank)
      indices.push_back(e);
  return indices;
}

rooted_edges edges_of_root(collective_edges const& over, int root, std::span<edge const> of_root,
                           std::span<edge const> of_leaf) {
  check_root(over, root);
  bool const is_root = root == (is_bipartite(over) ? MPI_ROOT : over.rank);
  return {is_root, is_root ? indices_of(of_root) : std::vector<int>(), edges_with(of_leaf, root)};
}

std::vector<std::vector<block>> blocks_of_each(std::vector<elements> const& all) {
  std::vector<std::vector<block>> blocks;
  for (elements const& values : all)
    blocks.push_back(blocks_of(values));
  return blocks;
}

/// An edge that carries the same block as the first edge with the same process.
struct repeated_edge {
  int edge, first;
};

/// Finds the repeated edges in `edges`, and sets the counts of their blocks to 0.
std::vector<repeated_edge> take_repeated_edges(std::span<edge const> edges,
                                               std::vector<elements>& blocks) {
  std::map<int, int> peers2first;
  std::vector<repeated_edge> repeated;
  for (int e = 0; e < std::min(std::ssize(edges), std::ssize(blocks)); ++e) {
    if (blocks[e].count == 0 || edges[e].leads_nowhere())
      continue;
    auto const [first, is_new] = peers2first.try_emplace(edges[e].rank, e);
    if (is_new)
      continue;
    repeated.push_back({e, first->second});
    blocks[e].count = 0;
  }
  return repeated;
}

/// Adds a step that copies a block that has arrived from `peer` at the end of the round.
void copy_repeated_block(schedule& steps, int peer, elements const& from, elements const& into) {
  if (wire_bytes(from) != wire_bytes(into))
    refuse(fmt::format("collective: blocks of {} and {} bytes along edges from rank {} (expected "
                       "as many, since it sends the same along all)",
                       wire_bytes(from), wire_bytes(into), peer));
  auto sources = blocks_of(from), targets = blocks_of(into);
  match(sources, targets);
  combine_step step{.round = 0, .wire_offset = 0, .sources = {}, .targets = {}};
  step.sources.begin = static_cast<int>(std::ssize(steps.sources));
  steps.sources.insert(steps.sources.end(), sources.begin(), sources.end());
  step.sources.end = static_cast<int>(std::ssize(steps.sources));
  step.targets.begin = static_cast<int>(std::ssize(steps.targets));
  for (block const& where : targets)
    steps.targets.push_back({where});
  step.targets.end = static_cast<int>(std::ssize(steps.targets));
  steps.combines.push_back(step);
}

} // namespace

elements nth_block(elements const& first, std::int64_t k) {
  auto const* const data = static_cast<std::byte const*>(first.data);
  return {data + k * first.count * extent_of(first.type), first.count, first.type};
}

std::vector<elements> blocks_from(elements const& first, std::int64_t count) {
  std::vector<elements> blocks;
  for (std::int64_t k = 0; k < count; ++k)
    blocks.push_back(nth_block(first, k));
  return blocks;
}

std::vector<elements> counted_blocks::each() const {
  std::vector<elements> blocks;
  std::int64_t const extent = extent_of(all.type);
  auto const* place = static_cast<std::byte const*>(all.data);
  for (int const count : counts.span()) {
    blocks.push_back({place, count, all.type});
    place += count * extent;
  }
  return blocks;
}

bool fits_int(elements const& values) { return values.count <= std::numeric_limits<int>::max(); }

void check_alike(elements const& send, elements const& receive, char const* name) {
  if (!is_in_place(send) && (send.count != receive.count || send.type != receive.type))
    refuse(MPI_ERR_COUNT,
           fmt::format("{}: {} elements into {} (expected as many, of the same type)", name,
                       send.count, receive.count));
}

schedule along_edges(collective_edges const& over, std::vector<elements> const& sends,
                     std::vector<elements> const& receives, bool overlapping) {
  auto const sources = over.topology.sources(), destinations = over.topology.destinations();
  SEAM_ASSERT(sends.size() == destinations.size() && receives.size() == sources.size(),
              fmt::format("{} and {} blocks", sends.size(), receives.size()));
  auto leaving = blocks_of_each(sends), arriving = blocks_of_each(receives);
  auto const own_out = edges_with(destinations, over.rank), own_in = edges_with(sources, over.rank);
  for (int k = 0; k < std::min(std::ssize(own_out), std::ssize(own_in)); ++k) {
    int const out = own_out[k], in = own_in[k];
    check_own_bytes(over.rank, wire_bytes(sends[out]), wire_bytes(receives[in]));
    match(leaving[out], arriving[in]);
  }

  alltoallw_buffers buffers;
  buffers.overlapping = overlapping;
  buffers.destinations2sources = buffers.sources2targets = {0};
  for (auto const& blocks : leaving) {
    buffers.sources.insert(buffers.sources.end(), blocks.begin(), blocks.end());
    buffers.destinations2sources.push_back(static_cast<int>(buffers.sources.size()));
  }
  for (auto const& blocks : arriving) {
    for (block const& where : blocks)
      buffers.targets.push_back({where});
    buffers.sources2targets.push_back(static_cast<int>(buffers.targets.size()));
  }
  return make_alltoallw(over.rank, over.num_peers, over.topology, buffers);
}

schedule once_to_each(collective_edges const& over, std::vector<elements> const& sends,
                      std::vector<elements> const& receives) {
  auto const sources = over.topology.sources(), destinations = over.topology.destinations();
  auto first_sends = sends, first_receives = receives;
  auto const repeated_sends = take_repeated_edges(destinations, first_sends);
  auto const repeated_receives = take_repeated_edges(sources, first_receives);
  schedule steps = along_edges(over, first_sends, first_receives);
  for (repeated_edge const& repeated : repeated_receives)
    copy_repeated_block(steps, sources[repeated.edge].rank, receives[repeated.first],
                        receives[repeated.edge]);
  if (!repeated_sends.empty() || !repeated_receives.empty()) {
    steps.leaving = loads_of(destinations, sends); // both, as edges to the process itself need them
    steps.arriving = loads_of(sources, receives);
  }
  return steps;
}

std::vector<std::int64_t> bytes_of_each(std::vector<elements> const& blocks) {
  std::vector<std::int64_t> bytes;
  for (elements const& values : blocks)
    bytes.push_back(wire_bytes(values));
  return bytes;
}

std::vector<edge_load> loads_of(std::span<edge const> edges, std::vector<elements> const& blocks) {
  std::vector<edge_load> loads;
  for (int e = 0; e < std::ssize(edges); ++e)
    if (std::int64_t const bytes = wire_bytes(blocks[e]); bytes > 0 && !edges[e].leads_nowhere())
      loads.push_back({edges[e].rank, bytes});
  return loads;
}

std::vector<int> indices_of(std::span<edge const> edges) {
  std::vector<int> indices;
  for (int e = 0; e < std::ssize(edges); ++e)
    indices.push_back(e);
  return indices;
}

rooted_edges edges_from_root(collective_edges const& over, int root) {
  return edges_of_root(over, root, over.topology.destinations(), over.topology.sources());
}

rooted_edges edges_to_root(collective_edges const& over, int root) {
  return edges_of_root(over, root, over.topology.sources(), over.topology.destinations());
}

} // namespace seam::detail
