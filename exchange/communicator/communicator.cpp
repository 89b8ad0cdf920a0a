#include <seam/exchange/communicator/communicator.hpp>

#include <seam/exchange/agreement/agreement.hpp>
#include <seam/exchange/agreement/new_comm.hpp>
#include <seam/exchange/communicator/communicator_state.hpp>
#include <seam/exchange/communicator/kept.hpp>
#include <seam/exchange/communicator/load_summary.hpp>
#include <seam/exchange/communicator/native_graph.hpp>
#include <seam/exchange/communicator/node.hpp>
#include <seam/exchange/ground/checks.hpp>
#include <seam/exchange/ground/error.hpp>
#include <seam/exchange/mpi/attribute.hpp>

#include <fmt/format.h>

#include <mutex>
#include <stdexcept>
#include <utility>

namespace seam {
using namespace detail;

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
