#include <seam/exchange/sparse/algorithms/shared_memory.hpp>

#include <seam/exchange/waiting/detail/patience.hpp>

#include <atomic>

namespace seam::detail {

/// What one process tells another in an exchange. Two cache lines, which processors fetch together.
struct alignas(128) shared_memory::cell {
  static constexpr std::int64_t no_message = -1, in_message = -1;

  std::atomic<std::uint64_t> epoch; ///< number of the exchange, written last
  std::int64_t bytes;               ///< of the message, or no_message
  union {
    std::byte text[112];  ///< a message that fits
    std::int64_t in_slab; ///< where a longer one begins, or in_message
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

void shared_memory::write(cell& into, parcel const& one) {
  into.bytes = std::ssize(one.bytes);
  if (into.holds_text()) {
    std::ranges::copy(one.bytes, into.text);
  } else if (one.bytes.size() <= slab_bytes_ - slab_used_) {
    into.in_slab = static_cast<std::int64_t>(slab_used_);
    std::ranges::copy(one.bytes, slab_of(static_cast<int>(rank_)) + slab_used_);
    std::size_t const lines = (one.bytes.size() + line - 1) / line;
    slab_used_ = std::min(slab_bytes_, slab_used_ + lines * line);
  } else {
    into.in_slab = cell::in_message;
    messages_.add(mpi::start_send(node_, one.bytes, one.to, tags::beside_memory));
  }
}

void shared_memory::read(cell const& from, int source, inbox& in) {
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
  // Many looks at memory take the time of one at MPI, for which waits are made.
  for (int look = 0; look < 64; ++look)
    if (from.epoch.load(std::memory_order_acquire) == exchange_)
      return true;
  return false;
}

/// Others may need this process to go on with their messages meanwhile: now and then it looks for
/// some.
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
    cell& mine = from_to(rank, to);
    bool const has_message = !out.empty() && out.front().to == to;
    mine.bytes = cell::no_message;
    if (has_message) {
      write(mine, out.front());
      out = out.subspan(1);
    }
    mine.epoch.store(exchange_, std::memory_order_release);
  }
  for (int from = 0; from < size; ++from)
    if (from != rank) {
      cell const& theirs = from_to(from, rank);
      wait_for(theirs);
      read(theirs, from, in);
    }
  messages_.wait();
}

} // namespace seam::detail
