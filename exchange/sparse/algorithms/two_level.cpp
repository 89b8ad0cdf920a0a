#include <seam/exchange/sparse/algorithms/two_level.hpp>

#include <seam/exchange/agreement/agreement.hpp>
#include <seam/exchange/agreement/mpi_collective.hpp>
#include <seam/exchange/agreement/new_comm.hpp>
#include <seam/exchange/communicator/node.hpp>
#include <seam/exchange/communicator/shared_memory.hpp>
#include <seam/exchange/mpi/detail/context.hpp>
#include <seam/exchange/sparse/inbox.hpp>

#include <cstdint>
#include <cstring>
#include <span>

namespace seam::detail {
namespace {

// Records: several messages that travel in one, with other processes in between.
//
//     envelope: | head | bytes ... | head | bytes ... |

/// The head of a record, which precedes its bytes.
struct record_head {
  int from, to; ///< ranks
  std::int64_t bytes;
};

void append_record(outgoing_message& envelope, record_head const& head,
                   std::span<std::byte const> bytes) {
  envelope.pack(head);
  envelope.pack_bytes(bytes);
}

/// Calls visit(head, bytes) for each record in `envelope`.
template <class Visit>
void for_each_record(std::span<std::byte const> envelope, Visit visit) {
  while (!envelope.empty()) {
    record_head head;
    std::memcpy(&head, envelope.data(), sizeof head);
    visit(head, envelope.subspan(sizeof head, head.bytes));
    envelope = envelope.subspan(sizeof head + head.bytes);
  }
}

/// Calls visit(head, bytes) for each record in all messages of `envelopes`.
template <class Visit>
void for_each_record(inbox const& envelopes, Visit visit) {
  for (incoming_message const& envelope : envelopes.messages())
    for_each_record(envelope.bytes(), visit);
}

std::unique_ptr<delivery> delivery_inside(mpi::comm_view node) {
  bool const has_links = shared_memory_is_on() && mpi::context_of(node) == nullptr;
  auto by_memory = has_links ? node_links::make(node) : nullptr;
  return by_memory != nullptr ? std::move(by_memory) : std::make_unique<consensus>(node);
}

} // namespace

two_level::two_level(mpi::comm_view over)
    : node_(node(over).processes(over, over.rank())),
      rank_(over.rank()),
      node_rank_(mpi::comm_view(node_).rank()),
      members_(mpi::allgather(node_, rank_)) {
  collectively(over, [&] { inside_ = delivery_inside(node_); });
  leaders_ = mpi::split(over, is_leader() ? 0 : MPI_UNDEFINED, rank_);
  int num_nodes = is_leader() ? mpi::comm_view(leaders_).size() : 0;
  mpi::bcast(node_, std::span(&num_nodes, 1), 0);
  is_alone_ = num_nodes == 1;
  if (is_leader() && !is_alone_) {
    find_nodes(over.size());
    across_.emplace(leaders_);
  }
}

/// Each leader enters the members of its node.
void two_level::find_nodes(int num_ranks) {
  mpi::comm_view const leaders = leaders_;
  ranks2nodes_.assign(num_ranks, 0);
  for (int const rank : members_)
    ranks2nodes_[rank] = leaders.rank();
  mpi::allreduce(leaders, std::span(ranks2nodes_), MPI_SUM);
}

std::optional<int> two_level::node_rank_of(int rank) const {
  auto const found = std::ranges::lower_bound(members_, rank);
  if (found == members_.end() || *found != rank)
    return std::nullopt;
  return static_cast<int>(found - members_.begin());
}

void two_level::pack_records(std::span<parcel const> out) {
  constexpr int leader = 0;
  for (parcel const& message : out)
    append_record(to_members_.to(node_rank_of(message.to).value_or(leader)),
                  {rank_, message.to, std::ssize(message.bytes)}, message.bytes);
}

void two_level::deliver_inside(inbox& in) {
  deliver(*inside_, node_rank_, to_members_, from_members_);
  for_each_record(from_members_, [&](record_head const& head, auto bytes) {
    if (head.to == rank_)
      std::ranges::copy(bytes, in.add(head.from, head.bytes).begin());
    else
      append_record(to_nodes_.to(ranks2nodes_[head.to]), head, bytes);
  });
  from_members_.clear();
}

void two_level::deliver_across() {
  deliver(*across_, mpi::comm_view(leaders_).rank(), to_nodes_, from_nodes_);
  for_each_record(from_nodes_, [&](record_head const& head, auto bytes) {
    append_record(to_members_.to(*node_rank_of(head.to)), head, bytes);
  });
  from_nodes_.clear();
}

void two_level::run(std::span<parcel const> out, inbox& in) {
  if (is_alone_)
    return inside_->run(out, in);
  pack_records(out);
  deliver_inside(in);
  if (is_leader())
    deliver_across();
  deliver_inside(in);
}

} // namespace seam::detail
