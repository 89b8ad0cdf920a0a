#include <seam/exchange/transport/shared/mailboxes.hpp>

#include <seam/exchange/agreement/new_comm.hpp>
#include <seam/exchange/communicator/kept.hpp>
#include <seam/exchange/communicator/node.hpp>
#include <seam/exchange/communicator/shared_memory.hpp>
#include <seam/exchange/ground/cache_line.hpp>
#include <seam/exchange/transport/length_check.hpp>
#include <seam/exchange/transport/shared/channels.hpp>

#include <algorithm>
#include <new>
#include <set>

namespace seam {
namespace {

/// Rooms for epochs of one parity: of all mailboxes of a process, and of each. [bytes]
constexpr std::int64_t most_room = std::int64_t{512} << 10;
constexpr std::int64_t most_room_each = std::int64_t{256} << 10;
constexpr std::int64_t least_room_each = std::int64_t{4} << 10;

/// A larger complete communicator has no mailboxes, since one for each process takes memory.
constexpr int most_processes = 64;

/// An entry of the table that a process shows to its node, by rank in the node: offsets in its
/// memory of the mailbox from that rank, and of the word `taken` for it. [bytes]; 0: there is none
struct shown_place {
  std::int64_t mailboxes, taken;
};

/// Makes the mailboxes to this process, and finds those of its destinations.
class maker {
public:
  maker(Communicator const& over, mpi::comm_view processes)
      : on_(over.node()),
        processes_(processes),
        sources_(near_peers(over, &Topology::sources)),
        destinations_(near_peers(over, &Topology::destinations)) {
    auto const sources = std::max<std::int64_t>(std::ssize(sources_), 1);
    room_ =
        std::clamp(most_room / sources / cache_line * cache_line, least_room_each, most_room_each);
    lay_out();
  }

  std::shared_ptr<mailboxes> make() {
    auto [memory, all] =
        on_.memory().meet(bytes_, processes_, [this](std::byte* own) { write(own); });
    if (memory == nullptr)
      return nullptr;
    std::vector<outbox> out;
    std::vector<inbox> in;
    for (int peer : destinations_)
      if (std::byte* const there = all[index(peer)]; entry_for_self(there).mailboxes != 0)
        out.push_back({.peer = peer,
                       .layout = {there + entry_for_self(there).mailboxes, room_of(there)},
                       .taken = &word(memory.get() + shown_[index(peer)].taken)});
    for (int peer : sources_)
      if (std::byte* const there = all[index(peer)]; entry_for_self(there).taken != 0)
        in.push_back({.peer = peer,
                      .layout = {memory.get() + shown_[index(peer)].mailboxes, room_},
                      .taken = &word(there + entry_for_self(there).taken)});
    return std::make_shared<mailboxes>(std::move(memory), std::move(out), std::move(in));
  }

private:
  /// The on-node processes at the other ends of `edges`, or all where the topology is no graph; not
  /// this process itself.
  static std::set<int> near_peers(Communicator const& over,
                                  std::span<edge const> (Topology::*edges)() const noexcept) {
    std::set<int> peers;
    for (edge const& listed : (over.topology().*edges)())
      peers.insert(listed.rank);
    if (!over.topology().is_graph())
      for (int rank = 0; rank < over.size(); ++rank)
        peers.insert(rank);
    std::erase_if(peers, [&](int rank) {
      return rank == MPI_PROC_NULL || rank == over.rank() ||
             over.node().local_rank(rank) == node::elsewhere;
    });
    return peers;
  }

  void lay_out() {
    shown_.resize(processes_.size());
    bytes_ = cache_line + in_whole_lines(std::ssize(shown_) * std::int64_t{sizeof(shown_place)});
    for (int peer : destinations_)
      shown_[index(peer)].taken = std::exchange(bytes_, bytes_ + cache_line);
    for (int peer : sources_)
      shown_[index(peer)].mailboxes = std::exchange(bytes_, bytes_ + mailbox_layout::bytes(room_));
  }

  void write(std::byte* first) const {
    new (first) std::int64_t(room_);
    std::ranges::uninitialized_copy(shown_, std::span(table(first), shown_.size()));
    for (int peer : destinations_)
      new (first + shown_[index(peer)].taken) shared_word(0);
    for (int peer : sources_)
      make_empty({first + shown_[index(peer)].mailboxes, room_});
  }

  static void make_empty(mailbox_layout const& places) {
    std::uninitialized_value_construct_n(&places.lines(0), mailbox_layout::num_lines);
    for (std::uint64_t room = 0; room < mailbox_layout::num_rooms; ++room)
      new (&places.filled(room)) shared_word(0);
  }

  static shared_word& word(std::byte* at) { return *reinterpret_cast<shared_word*>(at); }
  static std::int64_t room_of(std::byte* there) { return *reinterpret_cast<std::int64_t*>(there); }
  static shown_place* table(std::byte* there) {
    return reinterpret_cast<shown_place*>(there + cache_line);
  }
  shown_place entry_for_self(std::byte* there) const { return table(there)[processes_.rank()]; }
  std::size_t index(int peer) const { return static_cast<std::size_t>(on_.local_rank(peer)); }

  node const& on_;
  mpi::comm_view processes_;
  std::set<int> sources_, destinations_; ///< of this node, each once
  std::int64_t room_ = 0, bytes_ = 0;
  std::vector<shown_place> shown_; ///< [processes]
};

/// Makes the mailboxes in a new communicator, so that threads with different communicators do not
/// meet in that of the node.
std::shared_ptr<mailboxes> make_mailboxes(Communicator const& over) {
  node const& on = over.node();
  int const self = mpi::comm_view(MPI_COMM_WORLD).rank();
  int const first = on.is_alone() ? self : on.memory().world_rank(0);
  mpi::comm const processes = mpi::split(over.context(), first, self);
  return on.is_alone() ? nullptr : maker(over, processes).make();
}

bool may_have_mailboxes(Communicator const& over) {
  switch (over.topology().kind()) {
  case topology_kind::graph: return true;
  case topology_kind::complete: return over.size() <= most_processes;
  case topology_kind::bipartite: break;
  }
  return false;
}

/// The mailboxes that a communicator keeps after the first call of mailboxes_of(), or nullptr.
struct kept_mailboxes {
  std::shared_ptr<mailboxes> made;
};

} // namespace

mailboxes::mailboxes(std::shared_ptr<std::byte> memory, std::vector<outbox> out,
                     std::vector<inbox> in)
    : memory_(std::move(memory)), out_(std::move(out)), in_(std::move(in)) {}

/// Receivers may still have to note that they have taken the last epoch.
mailboxes::~mailboxes() {
  auto const is_done = [out = std::move(out_)] {
    return std::ranges::all_of(out,
                               [](outbox const& end) { return end.taken->load() >= end.awaited; });
  };
  free_when(std::move(memory_), is_done);
}

outbox* mailboxes::to(int peer) {
  auto const found = std::ranges::lower_bound(out_, peer, {}, &outbox::peer);
  return found != out_.end() && found->peer == peer ? &*found : nullptr;
}

inbox* mailboxes::from(int peer) {
  auto const found = std::ranges::lower_bound(in_, peer, {}, &inbox::peer);
  return found != in_.end() && found->peer == peer ? &*found : nullptr;
}

std::vector<mailbox_place> places_in_box(std::span<std::int64_t const> lengths,
                                         std::int64_t room_bytes) {
  std::int64_t next_line = 0, next_byte = 0;
  std::vector<mailbox_place> places;
  for (std::int64_t const bytes : lengths) {
    mailbox_place& place = places.emplace_back();
    std::int64_t const lines = lines_of(bytes);
    if (bytes <= longest_in_lines && next_line + lines <= mailbox_lines::most)
      place = {mailbox_place::part::lines, std::exchange(next_line, next_line + lines)};
    else if (bytes <= longest_private_message && next_byte + bytes <= room_bytes)
      place = {mailbox_place::part::room,
               std::exchange(next_byte, next_byte + in_whole_lines(bytes))};
  }
  return places;
}

std::uint64_t check_of(std::span<std::int64_t const> lengths) {
  length_check check;
  for (std::int64_t const bytes : lengths)
    check.add(bytes);
  return check.value();
}

std::shared_ptr<mailboxes> const& mailboxes_of(Communicator const& over) {
  static std::shared_ptr<mailboxes> const none;
  if (!shared_memory_is_on())
    return none;
  auto const make = [&] {
    return kept_mailboxes{may_have_mailboxes(over) ? make_mailboxes(over) : nullptr};
  };
  return kept<kept_mailboxes>(over, make).made;
}

} // namespace seam
