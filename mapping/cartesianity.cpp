#include <seam/mapping/cartesianity.hpp>

#include <seam/exchange/agreement/mpi_collective.hpp>
#include <seam/exchange/waiting/detail/call_scope.hpp>
#include <seam/mapping/named_communicator.hpp>
#include <seam/mapping/network.hpp>

#include <algorithm>
#include <map>
#include <optional>
#include <string>

namespace seam {
using namespace detail;

namespace {

using vector = cartesian_structure::vector;
using multiset = std::map<vector, int>; ///< vectors and how often each occurs

/// The vectors from this process to the other ends of `edges` if these leave, else from the other
/// ends to this process. An edge that leads nowhere has an empty vector.
std::vector<vector> vectors_of(CartesianNaming const& naming, int rank, std::span<edge const> edges,
                               bool leaving) {
  std::vector<vector> vectors;
  for (edge const& listed : edges)
    vectors.push_back(listed.leads_nowhere() ? vector()
                      : leaving              ? naming.relative_coordinates(rank, listed.rank)
                                             : naming.relative_coordinates(listed.rank, rank));
  return vectors;
}

vector opposite(vector v) {
  std::ranges::for_each(v, [](int& entry) { entry = -entry; });
  return v;
}

multiset count(std::vector<vector> const& vectors) {
  multiset all;
  for (vector const& v : vectors)
    if (!v.empty())
      ++all[v];
  return all;
}

/// Raises the counts of `known` to those of rank `root`. Collective.
void learn_from(mpi::comm_view over, int root, int num_dimensions, multiset const& own,
                multiset& known) {
  std::vector<int> flat;
  if (over.rank() == root)
    for (auto const& [v, times] : own) {
      flat.insert(flat.end(), v.begin(), v.end());
      flat.push_back(times);
    }
  auto length = static_cast<std::int64_t>(flat.size());
  mpi::bcast(over, std::span(&length, 1), root);
  flat.resize(length);
  mpi::bcast(over, std::span(flat), root);
  for (auto entry = flat.begin(); entry != flat.end(); ++entry) {
    vector const v(entry, entry + num_dimensions);
    entry += num_dimensions;
    known[v] = std::max(known[v], *entry);
  }
}

bool has_more(multiset const& own, multiset const& known) {
  return std::ranges::any_of(own, [&](auto const& entry) {
    auto const found = known.find(entry.first);
    return found == known.end() || found->second < entry.second;
  });
}

/// Whether this process lacks a vector of other processes that leads from it to a point of the
/// grid.
bool lacks_vector(multiset const& own, multiset const& known, cartesian_structure const& on) {
  return std::ranges::any_of(known, [&](auto const& entry) {
    auto const found = own.find(entry.first);
    int const here = found == own.end() ? 0 : found->second;
    return here < entry.second && on.moved(on.place, entry.first);
  });
}

/// The vectors of all processes if each has those that lead to points of the grid. Processes that
/// have more vectors than are known broadcast them, one after the other, until none has.
/// Collective.
std::optional<multiset> common_vectors(mpi::comm_view over, multiset const& own,
                                       cartesian_structure const& on) {
  multiset known;
  for (;;) {
    int const rank = over.rank(), no_rank = over.size();
    int const differs = -1;
    int const answer = lacks_vector(own, known, on) ? differs
                       : has_more(own, known)       ? rank
                                                    : no_rank;
    int const next = mpi::allreduce(over, answer, MPI_MIN);
    if (next == differs)
      return std::nullopt;
    if (next == no_rank)
      return known;
    learn_from(over, next, on.num_dimensions(), own, known);
  }
}

/// Whether a process's in-edges are the edges to it if all processes have the vectors `all`.
bool are_sources(multiset const& own, multiset const& all, cartesian_structure const& on) {
  multiset expected;
  for (auto const& [v, times] : all)
    if (on.moved(on.place, opposite(v)))
      expected[v] = times;
  return own == expected;
}

/// For each edge's vector its place in the list of all vectors, equal ones in their order; -1 for
/// edges that lead nowhere.
std::vector<int> places_in(std::vector<vector> const& all, std::vector<vector> const& of_edges) {
  multiset seen;
  std::vector<int> places;
  for (vector const& v : of_edges)
    places.push_back(v.empty() ? -1
                               : static_cast<int>(std::ranges::lower_bound(all, v) - all.begin()) +
                                     seen[v]++);
  return places;
}

/// The naming of `over` if all processes have the same one and each has a point. Collective.
CartesianNaming const* common_naming(Communicator const& over) {
  CartesianNaming const* const own = naming_of(over.view());
  std::string const text = own != nullptr ? to_string(*own) : "";
  std::string first = text;
  mpi::bcast(over.context(), first, 0);
  bool const usable = own != nullptr && text == first && own->size() == over.size();
  return mpi::allreduce(over.context(), usable ? 1 : 0, MPI_MIN) == 1 ? own : nullptr;
}

cartesian_structure grid_of(CartesianNaming const& naming, int rank) {
  cartesian_structure on;
  on.extent.assign(naming.order().begin(), naming.order().end());
  on.periodic = naming.periodic();
  on.place = naming.coordinates(rank);
  on.stride.resize(on.extent.size());
  std::int64_t stride = 1;
  auto const slowest_first = naming.dimorder().slowest_first(naming.num_dimensions());
  for (int i = std::ssize(slowest_first); i-- > 0;) {
    int const dimension = slowest_first[i];
    on.stride[dimension] = stride;
    stride *= on.extent[dimension];
  }
  return on;
}

} // namespace

std::shared_ptr<cartesian_structure const> cartesian_structure_of(Communicator const& named,
                                                                  Topology const& topology) {
  CartesianNaming const* const naming = common_naming(named);
  if (naming == nullptr)
    return nullptr;
  mpi::comm_view const over = named.context();
  int const rank = named.rank();
  auto on = std::make_shared<cartesian_structure>(grid_of(*naming, rank));
  auto const out = vectors_of(*naming, rank, topology.destinations(), true);
  auto const in = vectors_of(*naming, rank, topology.sources(), false);
  auto const all = common_vectors(over, count(out), *on);
  bool const matches = all && are_sources(count(in), *all, *on);
  if (mpi::allreduce(over, matches ? 1 : 0, MPI_MIN) == 0)
    return nullptr;
  for (auto const& [v, times] : *all)
    on->vectors.insert(on->vectors.end(), times, v);
  on->destinations2vectors = places_in(on->vectors, out);
  on->sources2vectors = places_in(on->vectors, in);
  bool const has_edges = !count(out).empty() && !count(in).empty();
  on->all_have_edges = mpi::allreduce(over, has_edges ? 1 : 0, MPI_MIN) == 1;
  on->network = network_of(named);
  return on;
}

Communicator make_named_graph(Communicator const& over, Topology const& topology) {
  detail::call_scope const here("make_named_graph");
  check_graph(over, topology);
  return make_graph(over, topology, cartesian_structure_of(over, topology));
}

} // namespace seam
