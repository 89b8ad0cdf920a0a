#include <seam/mapping/placement.hpp>

#include <seam/exchange/agreement/agreement.hpp>
#include <seam/exchange/agreement/mpi_collective.hpp>
#include <seam/exchange/agreement/new_comm.hpp>
#include <seam/exchange/mpi/detail/names.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <hwloc.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <map>
#include <memory>
#include <numeric>
#include <type_traits>

namespace seam {
using namespace detail;

namespace {

struct level_kind {
  char const* name;
  hwloc_obj_type_t kind;
};
constexpr std::array<level_kind, 4> levels_of_a_node{{{"package", HWLOC_OBJ_PACKAGE},
                                                      {"numa", HWLOC_OBJ_NUMANODE},
                                                      {"l3", HWLOC_OBJ_L3CACHE},
                                                      {"core", HWLOC_OBJ_CORE}}};

/// The node of a process, and the parts of it that the process is bound to: hwloc's numbers, -1 on
/// levels where it may run in several parts. Compares as the tree is ordered.
using position = std::array<int, 1 + levels_of_a_node.size()>;
constexpr int unbound = -1;

struct hwloc_deleter {
  void operator()(hwloc_topology_t topology) const noexcept { hwloc_topology_destroy(topology); }
  void operator()(hwloc_bitmap_t set) const noexcept { hwloc_bitmap_free(set); }
};
using topology_handle = std::unique_ptr<std::remove_pointer_t<hwloc_topology_t>, hwloc_deleter>;
using bitmap_handle = std::unique_ptr<std::remove_pointer_t<hwloc_bitmap_t>, hwloc_deleter>;

/// The topology of this node down to its cores; empty if hwloc fails.
topology_handle load_topology() {
  hwloc_topology_t raw = nullptr;
  if (hwloc_topology_init(&raw) != 0)
    return {};
  topology_handle topology(raw);
  hwloc_topology_set_all_types_filter(raw, HWLOC_TYPE_FILTER_KEEP_NONE);
  for (level_kind const& level : levels_of_a_node)
    hwloc_topology_set_type_filter(raw, level.kind, HWLOC_TYPE_FILTER_KEEP_ALL);
  return hwloc_topology_load(raw) == 0 ? std::move(topology) : topology_handle();
}

/// The part of a level that holds all of `set`; unbound if there is none.
int part_that_holds(hwloc_topology_t topology, hwloc_obj_type_t kind, hwloc_const_bitmap_t set) {
  for (hwloc_obj_t part = nullptr; (part = hwloc_get_next_obj_by_type(topology, kind, part));)
    if (hwloc_bitmap_isincluded(set, part->cpuset) != 0)
      return static_cast<int>(part->logical_index);
  return unbound;
}

/// The parts of its node that this process is bound to; the node's own number is left unset.
position bound_position() {
  position at;
  at.fill(unbound);
  topology_handle const topology = load_topology();
  bitmap_handle const set(hwloc_bitmap_alloc());
  if (!topology || !set || hwloc_get_cpubind(topology.get(), set.get(), HWLOC_CPUBIND_PROCESS) != 0)
    return at;
  for (int l = 0; l < std::ssize(levels_of_a_node); ++l)
    at[1 + l] = part_that_holds(topology.get(), levels_of_a_node[l].kind, set.get());
  return at;
}

/// The lowest rank of `over` that shares memory with this one, which names the node.
int first_rank_of_node(mpi::comm_view over) {
  mpi::comm const node = mpi::split_shared(over);
  return mpi::allreduce(node, over.rank(), MPI_MIN);
}

/// The position of this process.
/// Collective: over `over`.
position own_position(mpi::comm_view over) {
  static position const bound = bound_position();
  position own = bound;
  own[0] = first_rank_of_node(over);
  return own;
}

/// The host names of the nodes, in the order of their first ranks, on the root alone.
/// @param positions  [size of `over`] on the root
/// Collective: over `over`.
std::vector<std::string> gather_hosts(mpi::comm_view over, position const& own,
                                      std::vector<position> const& positions, int root) {
  auto const name = mpi::processor_name(); // as long on all ranks
  std::vector<int> firsts{0};              // the first rank of a node gives its name
  for (int rank = 0; rank < std::ssize(positions); ++rank)
    firsts.push_back(firsts.back() + (positions[rank][0] == rank ? std::ssize(name) : 0));
  bool const is_first = own[0] == over.rank();
  auto const names = mpi::gather(
      over, std::vector<char>(name.begin(), is_first ? name.end() : name.begin()), firsts, root);
  std::vector<std::string> hosts;
  for (std::size_t at = 0; at < names.size(); at += name.size())
    hosts.emplace_back(names.data() + at);
  return hosts;
}

/// Copies the root's list to all ranks.
/// Collective: over `over`.
void broadcast(mpi::comm_view over, std::vector<std::string>& lines, int root) {
  std::string text;
  for (std::string const& line : lines)
    text += line + '\n';
  mpi::bcast(over, text, root);
  lines.clear();
  for (std::size_t at = 0; at < text.size(); at += lines.back().size() + 1)
    lines.push_back(text.substr(at, text.find('\n', at) - at));
}

/// The places in the list of positions where parts of level `depth` begin, and the list's end.
std::vector<int> boundaries(std::vector<position> const& in_order, int depth) {
  std::vector<int> firsts{0};
  for (int place = 1; place < std::ssize(in_order); ++place)
    if (!std::equal(in_order[place].begin(), in_order[place].begin() + depth,
                    in_order[place - 1].begin()))
      firsts.push_back(place);
  firsts.push_back(std::ssize(in_order));
  return firsts;
}

/// The tree of the positions. A level that divides no part further is left out.
machine tree_of(std::vector<position> const& in_order) {
  std::vector<machine_level> levels{{"node", boundaries(in_order, 1)}};
  for (int l = 0; l < std::ssize(levels_of_a_node); ++l) {
    auto firsts = boundaries(in_order, l + 2);
    if (firsts.size() > levels.back().parts2firsts.size())
      levels.push_back({levels_of_a_node[l].name, std::move(firsts)});
  }
  if (levels.back().num_parts() < std::ssize(in_order)) {
    std::vector<int> each(in_order.size() + 1);
    std::iota(each.begin(), each.end(), 0);
    levels.push_back({"rank", std::move(each)});
  }
  return machine(std::move(levels));
}

std::string binding_in_words(position const& at) {
  std::string text;
  for (int l = 0; l < std::ssize(levels_of_a_node); ++l)
    if (at[1 + l] != unbound)
      text += fmt::format("{}{} {}", text.empty() ? "" : " ", levels_of_a_node[l].name, at[1 + l]);
  return text.empty() ? "no binding" : text;
}

/// Sets the bindings of all ranks, whose words are kept once.
void set_bindings(placement& placed, std::vector<position> const& positions) {
  std::map<position, int> numbers;
  for (position at : positions) {
    at[0] = 0; // on any node
    auto const [known, is_new] = numbers.try_emplace(at, static_cast<int>(numbers.size()));
    if (is_new)
      placed.bindings.push_back(binding_in_words(at));
    placed.ranks2bindings.push_back(known->second);
  }
}

/// The placement of processes at these positions, whose nodes have these hosts.
placement placement_at(std::vector<position> const& positions, std::vector<std::string> hosts) {
  std::vector<int> order(positions.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::stable_sort(order, {}, [&](int rank) { return positions[rank]; });
  std::vector<position> in_order;
  for (int const rank : order)
    in_order.push_back(positions[rank]);
  placement placed{tree_of(in_order), std::vector<int>(order.size()), std::move(hosts), {}, {}};
  for (int place = 0; place < std::ssize(order); ++place)
    placed.ranks2places[order[place]] = place;
  set_bindings(placed, positions);
  return placed;
}

/// The machine that SEAM_MACHINE gives on rank 0; empty if it is not set.
/// Collective: over `over`.
std::string given_machine(mpi::comm_view over) {
  std::string text;
  if (char const* const given = std::getenv("SEAM_MACHINE"); over.rank() == 0 && given != nullptr)
    text = given;
  mpi::bcast(over, text, 0);
  return text;
}

/// "0-3, 7" for the numbers 0, 1, 2, 3, 7 in increasing order.
std::string ranges_in_words(std::vector<int> const& numbers) {
  std::string text;
  for (int i = 0; i < std::ssize(numbers);) {
    int last = i;
    while (last + 1 < std::ssize(numbers) && numbers[last + 1] == numbers[last] + 1)
      ++last;
    text += text.empty() ? "" : ", ";
    text +=
        last == i ? fmt::format("{}", numbers[i]) : fmt::format("{}-{}", numbers[i], numbers[last]);
    i = last + 1;
  }
  return text;
}

/// The different bindings of some ranks, in the order of their places.
std::vector<std::string> different_bindings(placement const& placed,
                                            std::vector<int> const& ranks) {
  std::vector<std::string> different;
  for (int const rank : ranks) {
    auto const& binding = placed.bindings[placed.ranks2bindings[rank]];
    if (std::ranges::count(different, binding) == 0)
      different.push_back(binding);
  }
  return different;
}

} // namespace

placement place_in_order(machine const& tree, int num_ranks) {
  machine used = tree.first_places(num_ranks);
  std::vector<int> places(num_ranks);
  std::iota(places.begin(), places.end(), 0);
  std::vector<std::string> hosts;
  for (int node = 0; node < used.nodes().num_parts(); ++node)
    hosts.push_back(fmt::format("virtual-{}", node));
  return {std::move(used),
          std::move(places),
          std::move(hosts),
          std::vector<int>(num_ranks),
          {"virtual"}};
}

placement gather_placement(mpi::comm_view over) {
  constexpr int root = 0;
  if (auto const given = given_machine(over); !given.empty())
    return collectively(over, [&] { return place_in_order(parse_machine(given), over.size()); });
  position const own = own_position(over);
  auto const positions = mpi::allgather(over, own);
  auto hosts = gather_hosts(over, own, positions, root);
  broadcast(over, hosts, root);
  return placement_at(positions, std::move(hosts));
}

std::optional<placement> gather_placement(mpi::comm_view over, int root) {
  bool const is_root = over.rank() == root;
  if (auto const given = given_machine(over); !given.empty())
    return collectively(over, [&] {
      return is_root ? std::optional(place_in_order(parse_machine(given), over.size()))
                     : std::nullopt;
    });
  position const own = own_position(over);
  auto const positions = mpi::gather(over, own, root);
  auto hosts = gather_hosts(over, own, positions, root);
  return is_root ? std::optional(placement_at(positions, std::move(hosts))) : std::nullopt;
}

std::string describe(placement const& placed) {
  std::string text = fmt::format("machine {}\n", to_string(placed.tree));
  auto const parts = placed.tree.nodes().places2parts();
  std::vector<std::vector<int>> nodes2ranks(placed.nodes2hosts.size());
  for (int rank = 0; rank < std::ssize(placed.ranks2places); ++rank)
    nodes2ranks[parts[placed.ranks2places[rank]]].push_back(rank);
  for (int node = 0; node < std::ssize(nodes2ranks); ++node)
    text += fmt::format("node {} {}: ranks {} ({})\n", node, placed.nodes2hosts[node],
                        ranges_in_words(nodes2ranks[node]),
                        fmt::join(different_bindings(placed, nodes2ranks[node]), "; "));
  return text;
}

} // namespace seam
