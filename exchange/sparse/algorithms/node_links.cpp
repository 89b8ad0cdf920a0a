#include <seam/exchange/sparse/algorithms/node_links.hpp>

#include <seam/exchange/communicator/node.hpp>
#include <seam/exchange/transport/node/looks.hpp>
#include <seam/exchange/transport/node/thresholds.hpp>
#include <seam/exchange/waiting/detail/patience.hpp>
#include <seam/exchange/waiting/mpi_bytes.hpp>

#include <algorithm>

namespace seam::detail {

/// The first line of each epoch.
struct node_links::head {
  static constexpr std::int64_t no_message = -1, by_mpi = -1;

  std::int64_t bytes = no_message; ///< of the message
  union {
    std::byte text[48] = {}; ///< its first bytes if it is short; the other lines have the rest
    std::int64_t in_slot;    ///< the place of a longer one, or by_mpi [bytes]
  };

  bool holds_text() const noexcept {
    return bytes <= std::int64_t{sizeof text + (lines_of_parcel - 1) * sizeof(line::data)};
  }
  std::int64_t bytes_here() const noexcept {
    return std::min<std::int64_t>(bytes, std::int64_t{sizeof text});
  }
  std::byte* as_bytes() noexcept { return reinterpret_cast<std::byte*>(this); }
};

std::unique_ptr<delivery> node_links::make(mpi::comm_view neighbors) {
  static_assert(sizeof(head) == sizeof(line::data));
  node const here(neighbors);
  if (here.is_alone())
    return std::make_unique<node_links>(neighbors, std::make_shared<links>());
  std::int64_t const slot = std::min(longest_slot_of_parcels,
                                     most_in_slots_of_parcels / std::int64_t{neighbors.size()} /
                                         std::int64_t{places_of_slots} / cache_line * cache_line);
  wanted_links wanted{.share_slots = true};
  for (int rank = 0; rank < neighbors.size(); ++rank)
    if (rank != neighbors.rank()) {
      wanted.sends.push_back({.peer = here.local_rank(rank), .bytes = slot, .slot_bytes = slot});
      wanted.receives.push_back({here.local_rank(rank), slot, lines_of_parcel});
    }
  mpi::comm const processes = here.processes(neighbors, mpi::comm_view(MPI_COMM_WORLD).rank());
  auto const made = make_links(here.memory(), processes, {&wanted, 1});
  return made.empty() ? nullptr : std::make_unique<node_links>(neighbors, made.front());
}

/// The rank of the process at the other end of links `k`.
int node_links::peer(int k) const { return k + (k < node_.rank() ? 0 : 1); }

void node_links::write(sending_link& end, parcel const* message) {
  head first;
  line* const lines = end.lines_in(epoch_);
  if (message != nullptr) {
    first.bytes = std::ssize(message->bytes);
    if (first.holds_text()) {
      std::int64_t const here = first.bytes_here();
      std::copy_n(message->bytes.data(), here, first.text);
      write_lines(message->bytes.data() + here, first.bytes - here, lines + 1, epoch_);
    } else {
      write_long(end, *message, first);
    }
  }
  write_lines(first.as_bytes(), sizeof first, lines, epoch_);
}

void node_links::write_long(sending_link& end, parcel const& message, head& first) {
  if (first.bytes <= end.slot_bytes - slot_used_) {
    first.in_slot = slot_used_;
    std::ranges::copy(message.bytes, end.slot_in(epoch_) + slot_used_);
    slot_used_ += std::min(in_whole_lines(first.bytes), end.slot_bytes - slot_used_);
    end.awaited = epoch_;
  } else {
    first.in_slot = head::by_mpi;
    messages_.add(mpi::start_send(node_, message.bytes, message.to, tags::beside_memory));
  }
}

/// The receiver notes a message that it has read in the sender's memory.
void node_links::read(receiving_link const& end, int source, inbox& in) {
  head const first = wait_for_head(end);
  if (first.bytes == head::no_message)
    return;
  std::span<std::byte> const into = in.add(source, first.bytes);
  if (first.holds_text()) {
    std::int64_t const here = first.bytes_here();
    std::copy_n(first.text, here, into.data());
    read_lines(end.lines_in(epoch_) + 1, 0, into.data() + here, first.bytes - here, epoch_);
  } else if (first.in_slot != head::by_mpi) {
    std::copy_n(end.slot_in(epoch_) + first.in_slot, first.bytes, into.data());
    end.note_taken(epoch_);
  } else {
    messages_.add(mpi::start_receive(node_, into, source, tags::beside_memory));
  }
}

node_links::head node_links::wait_for_head(receiving_link const& end) const {
  head first;
  vain_looks looks;
  for (patience wait;
       read_lines(end.lines_in(epoch_), 0, first.as_bytes(), sizeof first, epoch_) == 0;) {
    looks.add(node_);
    if (looks.count() % looks_between_pauses == 0)
      wait.pause();
  }
  return first;
}

void node_links::run(std::span<parcel const> out, inbox& in) {
  ++epoch_;
  slot_used_ = 0;
  for (int k = 0; k < std::ssize(ends_->sends); ++k) {
    bool const has_message = !out.empty() && out.front().to == peer(k);
    write(ends_->sends[k], has_message ? &out.front() : nullptr);
    out = out.subspan(has_message ? 1 : 0);
  }
  for (int k = 0; k < std::ssize(ends_->receives); ++k)
    read(ends_->receives[k], peer(k), in);
  messages_.wait();
}

} // namespace seam::detail
