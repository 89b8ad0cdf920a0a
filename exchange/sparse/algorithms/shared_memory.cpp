#include <seam/exchange/sparse/algorithms/shared_memory.hpp>

#include <seam/exchange/waiting/detail/patience.hpp>

#include <atomic>

namespace seam::detail {

/// The message of one process to another in an exchange, or its length and place. Two cache lines,
/// which processors fetch together.
struct alignas(128) shared_memory::cell {
  static constexpr std::int64_t no_message = -1, in_message = -1;

  std::atomic<std::uint64_t> epoch; ///< number of the exchange, written last
  std::int64_t bytes;               ///< of the message, or no_message
  union {
    std::byte text[112];  ///< a message that fits
    std::int64_t in_slab; ///< offset of a longer message in the slab, or in_message [bytes]
  };

  bool holds_text() const noexcept { return bytes <= std::int64_t{sizeof text}; }
};

namespace {

constexpr std::size_t largest_slab = 256 << 10, most_in_slabs = 32 << 20;
constexpr std::size_t line = 64;

std::size_t slab_size(std::size_t num_processes) {
  return std::min(largest_slab, most_in_slabs / (2 * num_processes) / line * line);
}

} // namespace

shared_memory::shared_memory(mpi::comm_view node)
    : node_(node),
      rank_(static_cast<std::size_t>(node.rank())),
      size_(static_cast<std::size_t>(node.size())),
      slab_bytes_(slab_size(size_)),
      memory_(node, 2 * size_ * (size_ * sizeof(cell) + slab_bytes_)) {
  static_assert(std::atomic<std::uint64_t>::is_always_lock_free, "epochs cross processes");
}

shared_memory::cell& shared_memory::from_to(int writer, int reader) const {
  auto const row = (exchange_ % 2) * size_ + static_cast<std::size_t>(writer);
  auto* const cells = reinterpret_cast<cell*>(memory_.data());
  return cells[row * size_ + static_cast<std::size_t>(reader)];
}

std::byte* shared_memory::slab_of(int writer) const {
  auto const row = (exchange_ % 2) * size_ + static_cast<std::size_t>(writer);
  return memory_.data() + 2 * size_ * size_ * sizeof(cell) + row * slab_bytes_;
}

void shared_memory::write_message(cell& into, parcel const& message) {
  into.bytes = std::ssize(message.bytes);
  if (into.holds_text()) {
    std::ranges::copy(message.bytes, into.text);
  } else if (message.bytes.size() <= slab_bytes_ - slab_used_) {
    into.in_slab = static_cast<std::int64_t>(slab_used_);
    std::ranges::copy(message.bytes, slab_of(static_cast<int>(rank_)) + slab_used_);
    std::size_t const lines = (message.bytes.size() + line - 1) / line;
    slab_used_ = std::min(slab_bytes_, slab_used_ + lines * line);
  } else {
    into.in_slab = cell::in_message;
    messages_.add(mpi::start_send(node_, message.bytes, message.to, tags::beside_memory));
  }
}

void shared_memory::read_message(cell const& from, int source, inbox& in) {
  if (from.bytes == cell::no_message)
    return;
  std::span<std::byte> const into = in.add(source, from.bytes);
  if (from.holds_text())
    std::copy_n(from.text, from.bytes, into.begin());
  else if (from.in_slab != cell::in_message)
    std::copy_n(slab_of(source) + from.in_slab, from.bytes, into.begin());
  else
    messages_.add(mpi::start_receive(node_, into, source, tags::beside_memory));
}

bool shared_memory::has_written(cell const& from) const {
  // Many reads of memory take the time of one test by MPI, for which patience is made.
  for (int look = 0; look < 64; ++look)
    if (from.epoch.load(std::memory_order_acquire) == exchange_)
      return true;
  return false;
}

/// Waits for a cell, and now and then calls MPI, as messages of other processes may need progress.
void shared_memory::wait_for(cell const& from) const {
  constexpr int pauses_between = 16;
  patience wait;
  for (int pauses = 1; !has_written(from); ++pauses) {
    if (pauses % pauses_between == 0)
      static_cast<void>(mpi::look_for_message(node_, MPI_ANY_SOURCE, tags::beside_memory));
    wait.pause();
  }
}

void shared_memory::run(std::span<parcel const> out, inbox& in) {
  ++exchange_;
  slab_used_ = 0;
  int const rank = static_cast<int>(rank_), size = static_cast<int>(size_);
  for (int to = 0; to < size; ++to) {
    cell& outgoing = from_to(rank, to);
    bool const has_message = !out.empty() && out.front().to == to;
    outgoing.bytes = cell::no_message;
    if (has_message) {
      write_message(outgoing, out.front());
      out = out.subspan(1);
    }
    outgoing.epoch.store(exchange_, std::memory_order_release);
  }
  for (int from = 0; from < size; ++from)
    if (from != rank) {
      cell const& incoming = from_to(from, rank);
      wait_for(incoming);
      read_message(incoming, from, in);
    }
  messages_.wait();
}

} // namespace seam::detail
