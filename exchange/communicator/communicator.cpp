#include <seam/exchange/communicator/communicator.hpp>

#include <seam/exchange/agreement/agreement.hpp>
#include <seam/exchange/agreement/mpi_collective.hpp>
#include <seam/exchange/agreement/new_comm.hpp>
#include <seam/exchange/agreement/reported_call.hpp>
#include <seam/exchange/communicator/edge_check.hpp>
#include <seam/exchange/communicator/kept.hpp>
#include <seam/exchange/communicator/native_graph.hpp>
#include <seam/exchange/communicator/node.hpp>
#include <seam/exchange/ground/checks.hpp>
#include <seam/exchange/ground/error.hpp>
#include <seam/exchange/mpi/attribute.hpp>
#include <seam/exchange/mpi/detail/context.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <mutex>
#include <stdexcept>
#include <vector>

namespace seam {
using namespace detail;

namespace {

/// Types of values that upper floors may keep with a communicator.
constexpr int num_slots = 8;

} // namespace

struct Communicator::state {
  MPI_Comm native = MPI_COMM_NULL;
  mpi::comm owned; ///< `native`, unless another owner frees it
  mpi::comm context;
  Topology topology = Topology::complete();
  std::shared_ptr<cartesian_structure const> structure;
  int next_tag = 0;
  std::atomic<std::uint32_t> num_starts = 0;
  std::array<std::shared_ptr<void>, num_slots> kept; ///< by upper floors, see kept.hpp
  std::shared_ptr<call_record> calls = call_record::unknown();
  std::shared_ptr<detail::node const>
      node; ///< of all communicators of these processes in this order
  bool borrows_context = false;
  std::atomic<bool> is_gone = false; ///< a borrowed context has been freed by its owner

  state() = default;
  state(state const&) = delete;
  state& operator=(state const&) = delete;
  ~state() {
    if (borrows_context)
      static_cast<void>(context.release());
  }
};

namespace {

/// Every MPI library has 32768 tags: the lower half for operations that keep their tags, then those
/// of starts, then those of channels.
constexpr int first_tag_of_starts = 16384;
constexpr int num_tags_of_starts = Communicator::first_tag_of_channels - first_tag_of_starts;

void check_edges(std::span<edge const> edges, char const* direction, int size) {
  for (edge const& listed : edges) {
    if (!listed.leads_nowhere() && (listed.rank < 0 || listed.rank >= size))
      refuse(fmt::format("graph: {} {} is no rank of the communicator (expected 0 to {})",
                         direction, listed.rank, size - 1));
    if (listed.weight < 0)
      refuse(fmt::format("graph: weight {} of the edge to {} {} (expected 0 or more)",
                         listed.weight, direction, listed.rank));
  }
}

void refuse_bipartite(mpi::comm_view all, char const* call) {
  if (mpi::is_bipartite(all))
    refuse(fmt::format("{}: the communicator is bipartite (expected a complete one or a graph)",
                       call));
}

void refuse_group_of_endpoints(mpi::comm_view all, char const* call) {
  if (mpi::context_of(all) != nullptr)
    refuse(MPI_ERR_GROUP, fmt::format("{}: an MPI_Group for a communicator of endpoints, of which "
                                      "MPI knows nothing (expected a list of ranks)",
                                      call));
}

/// The group of the processes that are `ranks` of `all`.
mpi::group group_of(mpi::comm_view all, std::span<int const> ranks) {
  mpi::group members, chosen;
  mpi::check(MPI_Comm_group(all.native(), members.receive()), "MPI_Comm_group");
  mpi::check(MPI_Group_incl(members.native(), static_cast<int>(ranks.size()), ranks.data(),
                            chosen.receive()),
             "MPI_Group_incl");
  return chosen;
}

/// The caller's own side of a bipartite communicator. The rank of the side's first process in the
/// merged communicator tells the sides apart.
mpi::comm own_side(mpi::comm_view bipartite) {
  mpi::comm_view const merged = mpi::all_processes(bipartite);
  if (mpi::context const* const ranks = mpi::context_of(bipartite))
    return mpi::split(merged, ranks->members().front().number, bipartite.rank());
  mpi::group side, both_sides;
  mpi::check(MPI_Comm_group(bipartite.native(), side.receive()), "MPI_Comm_group");
  mpi::check(MPI_Comm_group(merged.native(), both_sides.receive()), "MPI_Comm_group");
  int const first = 0;
  int color = 0;
  mpi::check(MPI_Group_translate_ranks(side.native(), 1, &first, both_sides.native(), &color),
             "MPI_Group_translate_ranks");
  return mpi::split(merged, color, bipartite.rank());
}

} // namespace

Communicator Communicator::made_of(MPI_Comm native, mpi::comm owned) {
  auto shared = std::make_shared<state>();
  shared->native = native;
  shared->owned = std::move(owned);
  shared->topology = topology_of(native);
  shared->structure = structure_of(native);
  shared->context = mpi::dup(native);
  shared->calls = call_record::of(native);
  call_record::keep(shared->calls, shared->context);
  Communicator made(std::move(shared));
  if (made.topology().is_graph() && checks_are_on())
    require_matching_edges(made.context(), made.topology());
  return made;
}

Communicator Communicator::from_native(MPI_Comm native) {
  call_scope const here("Communicator::from_native");
  mpi::comm owned = mpi::comm::from_native(native);
  mpi::return_errors(native);
  return made_of(native, std::move(owned));
}

Communicator Communicator::dup(mpi::comm_view other) {
  call_scope const here("Communicator::dup");
  return from_native(mpi::dup(other).release());
}

Communicator Communicator::attached_to(MPI_Comm native) {
  check_is_open(native);
  if (auto const* const kept = mpi::attribute<std::shared_ptr<state>>::of(native))
    return Communicator(*kept);
  call_scope const here("Communicator::attached_to");
  Communicator made = made_of(native, {});
  made.attach();
  return made;
}

Communicator Communicator::borrowed_from(MPI_Comm native) {
  struct borrowed {
    std::shared_ptr<state> kept;

    explicit borrowed(std::shared_ptr<state> made) : kept(std::move(made)) {}
    ~borrowed() { kept->is_gone.store(true); }
  };
  static std::mutex borrowing;
  std::scoped_lock const lock(borrowing);
  if (auto const* const found = mpi::attribute<borrowed>::of(native))
    return Communicator(found->kept);
  auto made = std::make_unique<borrowed>(std::make_shared<state>());
  made->kept->native = native;
  made->kept->topology = topology_of(native);
  made->kept->context = mpi::comm::from_native(native);
  made->kept->borrows_context = true;
  if (auto const* const attached = mpi::attribute<std::shared_ptr<state>>::of(native))
    made->kept->node = (*attached)->node;
  return Communicator(mpi::attribute<borrowed>::keep(native, std::move(made)).kept);
}

MPI_Comm Communicator::give_to_mpi() && {
  attach();
  return state_->owned.release();
}

void Communicator::attach() const {
  mpi::attribute<std::shared_ptr<state>>::keep(view(),
                                               std::make_unique<std::shared_ptr<state>>(state_));
}

Communicator Communicator::dup() const {
  Communicator copy = dup(view());
  copy.state_->node = state_->node;
  return copy;
}

Communicator Communicator::base() const {
  call_scope const here("Communicator::base");
  bool const bipartite = topology().is_bipartite();
  mpi::comm all = bipartite ? own_side(view()) : mpi::split(view(), 0, rank());
  Communicator made = from_native(all.release());
  if (!bipartite)
    made.state_->node = state_->node;
  return made;
}

int Communicator::rank() const { return view().rank(); }
int Communicator::size() const { return view().size(); }
Topology const& Communicator::topology() const noexcept { return state_->topology; }
std::shared_ptr<cartesian_structure const> const& Communicator::structure() const noexcept {
  return state_->structure;
}
mpi::comm_view Communicator::view() const noexcept { return state_->native; }
mpi::comm_view Communicator::context() const noexcept { return state_->context; }
std::shared_ptr<call_record> const& Communicator::calls() const noexcept { return state_->calls; }

int Communicator::draw_tags(int count) const {
  if (count > first_tag_of_starts)
    refuse(fmt::format("communicator: {} messages between the same two ranks (expected at most {})",
                       count, first_tag_of_starts));
  if (state_->next_tag > first_tag_of_starts - count)
    state_->next_tag = 0;
  return std::exchange(state_->next_tag, state_->next_tag + count);
}

std::function<int()> Communicator::tags_of_starts() const {
  return [shared = state_.get()] {
    auto const start = shared->num_starts.fetch_add(1, std::memory_order_relaxed);
    return first_tag_of_starts + static_cast<int>(start % num_tags_of_starts);
  };
}

std::optional<Communicator> Communicator::split(int color, int key) const {
  call_scope const here("Communicator::split");
  mpi::comm part = mpi::split(view(), color, key);
  if (!part.is_open())
    return std::nullopt;
  return with_subgraph(view(), topology(), std::move(part));
}

std::optional<Communicator> Communicator::split_type(int type, int key, MPI_Info info) const {
  call_scope const here("Communicator::split_type");
  mpi::comm part = mpi::split_type(view(), type, key, info);
  if (!part.is_open())
    return std::nullopt;
  return with_subgraph(view(), topology(), std::move(part));
}

Communicator Communicator::split_shared() const {
  return *split_type(MPI_COMM_TYPE_SHARED, rank());
}

std::optional<Communicator> Communicator::create(MPI_Group group) const {
  refuse_group_of_endpoints(view(), "create");
  call_scope const here("Communicator::create");
  mpi::comm part;
  {
    mpi::reported_call const now(view(), "MPI_Comm_create");
    mpi::check(MPI_Comm_create(view().native(), group, part.receive()), "MPI_Comm_create");
  }
  if (!part.is_open())
    return std::nullopt;
  mpi::return_errors(part);
  return with_subgraph(view(), topology(), std::move(part));
}

Communicator Communicator::create_group(MPI_Group group, int tag) const {
  return create_group(view(), group, tag);
}

Communicator Communicator::create_group(mpi::comm_view all, MPI_Group group, int tag) {
  refuse_bipartite(all, "create_group");
  refuse_group_of_endpoints(all, "create_group");
  call_scope const here("Communicator::create_group");
  mpi::comm part;
  {
    mpi::reported_call_of_group const now(group, "MPI_Comm_create_group");
    mpi::check(MPI_Comm_create_group(all.native(), group, tag, part.receive()),
               "MPI_Comm_create_group");
  }
  mpi::return_errors(part);
  return with_subgraph(all, topology_of(all), std::move(part));
}

void Communicator::check_ranks(std::span<int const> ranks, int size, char const* call) {
  std::vector<int> sorted(ranks.begin(), ranks.end());
  std::ranges::sort(sorted);
  if (!sorted.empty() && (sorted.front() < 0 || sorted.back() >= size))
    refuse(MPI_ERR_RANK,
           fmt::format("{}: rank {} (expected 0 to {})", call,
                       sorted.front() < 0 ? sorted.front() : sorted.back(), size - 1));
  if (auto const twice = std::ranges::adjacent_find(sorted); twice != sorted.end())
    refuse(MPI_ERR_RANK, fmt::format("{}: rank {} twice (expected each once)", call, *twice));
}

std::optional<Communicator> Communicator::create(std::span<int const> ranks) const {
  check_ranks(ranks, size(), "create");
  if (mpi::context_of(view()) == nullptr)
    return create(group_of(view(), ranks).native());
  auto const found = std::ranges::find(ranks, rank());
  bool const is_in = found != ranks.end();
  return split(is_in ? 0 : MPI_UNDEFINED, is_in ? static_cast<int>(found - ranks.begin()) : 0);
}

Communicator Communicator::create_group(std::span<int const> ranks, int tag) const {
  refuse_bipartite(view(), "create_group");
  check_ranks(ranks, size(), "create_group");
  mpi::context* const endpoints = mpi::context_of(view());
  if (endpoints == nullptr)
    return create_group(group_of(view(), ranks).native(), tag);
  if (std::ranges::find(ranks, rank()) == ranks.end())
    refuse(MPI_ERR_RANK,
           fmt::format("create_group: rank {} is none of those listed (expected calls "
                       "of these alone)",
                       rank()));
  call_scope const here("Communicator::create_group");
  endpoints->check_thread("create_group");
  return with_subgraph(view(), topology(), endpoints->part({ranks.begin(), ranks.end()}, tag));
}

std::optional<Communicator> Communicator::two_sides(int side) const {
  call_scope const here("Communicator::two_sides");
  collectively(view(), [&] {
    refuse_bipartite(view(), "two_sides");
    if (side != 0 && side != 1)
      refuse(fmt::format("two_sides: side {} (expected 0 or 1)", side));
  });
  int const num_ones = mpi::allreduce(view(), side, MPI_SUM);
  if (num_ones == 0 || num_ones == size())
    return std::nullopt;
  if (mpi::context* const endpoints = mpi::context_of(view()))
    return from_native(endpoints->two_sides(side).release());
  auto const sides = mpi::allgather(view(), side);
  int const leader = static_cast<int>(std::ranges::find(sides, 1 - side) - sides.begin());
  mpi::comm const own = mpi::split(view(), side, rank());
  mpi::comm both;
  mpi::reported_call const now(view(), "MPI_Intercomm_create");
  mpi::check(MPI_Intercomm_create(own.native(), 0, context().native(), leader, 0, both.receive()),
             "MPI_Intercomm_create");
  return from_native(both.release());
}

Communicator Communicator::with_subgraph(mpi::comm_view all, Topology const& topology,
                                         mpi::comm part) {
  if (!topology.is_graph())
    return from_native(part.release());
  auto const inside = [&](std::span<edge const> edges) { return edges_inside(edges, all, part); };
  auto const subgraph =
      topology.with_edges(inside(topology.sources()), inside(topology.destinations()));
  return from_native(make_native_graph(part, subgraph, nullptr).release());
}

int detail::next_slot() {
  static int next = 0;
  if (next == num_slots)
    throw std::logic_error("kept: more types of values than slots");
  return next++;
}

std::shared_ptr<void>& Communicator::kept_in(int slot) const noexcept { return state_->kept[slot]; }

detail::node const* Communicator::known_node() const noexcept { return state_->node.get(); }

detail::node const& Communicator::node() const {
  if (state_->node == nullptr) {
    call_scope const here("Communicator::node");
    state_->node = std::make_shared<detail::node const>(context());
  }
  return *state_->node;
}

std::shared_ptr<std::atomic<bool> const> Communicator::is_gone() const {
  return {state_, &state_->is_gone};
}

void Communicator::close() {
  for (auto& value : state_->kept)
    value.reset();
  state_->context.close();
  state_->owned.close();
  state_->native = MPI_COMM_NULL;
}

void check_graph(Communicator const& over, Topology const& topology) {
  collectively(over, [&] {
    if (over.topology().is_bipartite())
      refuse("graph: a bipartite communicator (expected one whose processes are one group)");
    if (!topology.is_graph())
      refuse("graph: the topology has no edges to build from (expected Topology::graph)");
    check_edges(topology.sources(), "source", over.size());
    check_edges(topology.destinations(), "destination", over.size());
  });
  if (checks_are_on())
    require_matching_edges(over.context(), topology);
}

Communicator make_graph(Communicator const& over, Topology const& topology,
                        std::shared_ptr<cartesian_structure const> structure) {
  call_scope const here("make_graph");
  check_graph(over, topology);
  Communicator graph =
      Communicator::from_native(make_native_graph(over, topology, std::move(structure)).release());
  graph.state_->node = over.state_->node;
  return graph;
}

} // namespace seam
