#include <seam/mapping/cartesianity.hpp>

#include <seam/exchange/agreement/mpi_collective.hpp>
#include <seam/mapping/named_communicator.hpp>
#include <seam/mapping/network.hpp>

#include <algorithm>
#include <map>
#include <optional>
#include <string>

namespace seam {
namespace {

using vector = cartesian_structure::vector;
using multiset = std::map<vector, int>; ///< vectors and how often each occurs

/// The vectors that lead from this process to the other ends of `edges`, or from these to it; empty
/// ones for edges that lead nowhere.
std::vector<vector> vectors_of(CartesianNaming const& naming, int rank, std::span<edge const> edges,
                               bool leaving) {
  std::vector<vector> vectors;
  for (edge const& one : edges)
    vectors.push_back(one.leads_nowhere() ? vector()
                      : leaving           ? naming.relative_coordinates(rank, one.rank)
                                          : naming.relative_coordinates(one.rank, rank));
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

/// Makes `known` hold what `root` has more of. Collective.
void learn_from(mpi::comm_view over, int root, int num_dimensions, multiset const& mine,
                multiset& known) {
  std::vector<int> flat;
  if (over.rank() == root)
    for (auto const& [v, times] : mine) {
      flat.insert(flat.end(), v.begin(), v.end());
      flat.push_back(times);
    }
  auto length = static_cast<std::int64_t>(flat.size());
  mpi::bcast(over, std::span(&length, 1), root);
  flat.resize(static_cast<std::size_t>(length));
  mpi::bcast(over, std::span(flat), root);
  for (auto entry = flat.begin(); entry != flat.end(); ++entry) {
    vector const v(entry, entry + num_dimensions);
    entry += num_dimensions;
    known[v] = std::max(known[v], *entry);
  }
}

bool has_more(multiset const& mine, multiset const& known) {
  return std::ranges::any_of(mine, [&](auto const& one) {
    auto const found = known.find(one.first);
    return found == known.end() || found->second < one.second;
  });
}

/// Whether a vector that others have leads to a point of the grid from here, and is missing.
bool lacks_one(multiset const& mine, multiset const& known, cartesian_structure const& on) {
  return std::ranges::any_of(known, [&](auto const& one) {
    auto const found = mine.find(one.first);
    int const here = found == mine.end() ? 0 : found->second;
    return here < one.second && on.moved(on.place, one.first);
  });
}

/// The vectors of all processes if each has those that lead to points of the grid. Processes that
/// have something new tell it, one after the other, until nobody has. Collective.
std::optional<multiset> common_vectors(mpi::comm_view over, multiset const& mine,
                                       cartesian_structure const& on) {
  multiset known;
  for (;;) {
    int const rank = over.rank(), nobody = over.size();
    int const differs = -1;
    int const mine_is = lacks_one(mine, known, on) ? differs
                        : has_more(mine, known)    ? rank
                                                   : nobody;
    int const next = mpi::allreduce(over, mine_is, MPI_MIN);
    if (next == differs)
      return std::nullopt;
    if (next == nobody)
      return known;
    learn_from(over, next, on.num_dimensions(), mine, known);
  }
}

/// Whether a process's in-edges are those that others have towards it if `all` are the vectors of
/// everybody.
bool are_sources(multiset const& mine, multiset const& all, cartesian_structure const& on) {
  multiset expected;
  for (auto const& [v, times] : all)
    if (on.moved(on.place, opposite(v)))
      expected[v] = times;
  return mine == expected;
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
  CartesianNaming const* const mine = naming_of(over.view());
  std::string const text = mine != nullptr ? to_string(*mine) : "";
  std::string first = text;
  mpi::bcast(over.context(), first, 0);
  bool const usable = mine != nullptr && text == first && mine->size() == over.size();
  return mpi::allreduce(over.context(), usable ? 1 : 0, MPI_MIN) == 1 ? mine : nullptr;
}

cartesian_structure grid_of(CartesianNaming const& naming, int rank) {
  cartesian_structure on;
  on.extent.assign(naming.order().begin(), naming.order().end());
  on.periodic = naming.periodic();
  on.place = naming.coordinates(rank);
  on.stride.resize(on.extent.size());
  std::int64_t stride = 1;
  auto const slowest_first = naming.dimorder().slowest_first(naming.num_dimensions());
  for (std::size_t i = slowest_first.size(); i-- > 0;) {
    auto const dimension = static_cast<std::size_t>(slowest_first[i]);
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
    on->vectors.insert(on->vectors.end(), static_cast<std::size_t>(times), v);
  on->destinations2vectors = places_in(on->vectors, out);
  on->sources2vectors = places_in(on->vectors, in);
  bool const has_edges = !count(out).empty() && !count(in).empty();
  on->all_have_edges = mpi::allreduce(over, has_edges ? 1 : 0, MPI_MIN) == 1;
  on->network = network_of(named);
  return on;
}

Communicator make_named_graph(Communicator const& over, Topology const& topology) {
  check_graph(over, topology);
  return make_graph(over, topology, cartesian_structure_of(over, topology));
}

} // namespace seam
