#include <seam/exchange/transport/message/guarded_tags.hpp>

#include <seam/exchange/mpi/detail/check.hpp>
#include <seam/exchange/mpi/large_count.hpp>
#include <seam/exchange/mpi/library.hpp>

#include <cstddef>
#include <limits>
#include <memory>
#include <mutex>
#include <utility>

namespace seam::detail {
namespace {

/// Tags that all MPI libraries have, and that can have a guard. [bits]
constexpr int plain_bits = 15, num_plain_tags = 1 << plain_bits;

/// Tags of partitioned channels end before the least guard.
constexpr int least_guard = (1 << 13) + 1, end_of_guards = 1 << 16;

bool library_has_guarded_tags() { return mpi::largest_tag() == std::numeric_limits<int>::max(); }

/// True if `tag` has a guard, or could have one.
constexpr bool can_have_guard(int tag) noexcept {
  return tag < num_plain_tags || tag >> plain_bits >= least_guard;
}

constexpr bool differ_in_guard_alone(int a, int b) noexcept {
  return a != b && can_have_guard(a) && can_have_guard(b) &&
         a % num_plain_tags == b % num_plain_tags;
}

/// Keeps the memory of a message until the program ends: the message may arrive at any time.
void keep_for_ever(std::unique_ptr<std::byte[]> memory) {
  static std::mutex mutex;
  static auto* const all = new std::vector<std::unique_ptr<std::byte[]>>; // never destroyed
  std::scoped_lock const lock(mutex);
  all->push_back(std::move(memory));
}

/// Receives a message into memory of its own, without waiting for it.
void take_away(mpi::comm_view context, int peer, int tag) {
  MPI_Message message = MPI_MESSAGE_NULL;
  MPI_Status status;
  int found = 0;
  mpi::check(MPI_Improbe(peer, tag, context.native(), &found, &message, &status), "MPI_Improbe");
  if (found == 0)
    return;
  std::int64_t const bytes = mpi::bytes_of(status);
  std::unique_ptr<std::byte[]> memory(new std::byte[bytes]);
  mpi::large_count const size(bytes);
  MPI_Request request = MPI_REQUEST_NULL;
  mpi::check(MPI_Imrecv(memory.get(), size.count(), size.type(), &message, &request), "MPI_Imrecv");
  keep_for_ever(std::move(memory));
  mpi::check(MPI_Request_free(&request), "MPI_Request_free");
}

} // namespace

int guard_of_lengths::value() const {
  if (longest_ <= longest_eager_message || !library_has_guarded_tags())
    return 0;
  constexpr int num_guards = end_of_guards - least_guard;
  return least_guard + static_cast<int>(check_.value()) % num_guards;
}

int guarded(int tag, int guard) noexcept {
  return tag < num_plain_tags ? tag | guard << plain_bits : tag;
}

void receive_aside(mpi::comm_view context, int peer, int tag, std::int64_t bytes) noexcept {
  try {
    std::unique_ptr<std::byte[]> memory(new std::byte[bytes]);
    mpi::large_count const size(bytes);
    MPI_Request request = MPI_REQUEST_NULL;
    mpi::check(MPI_Irecv(memory.get(), size.count(), size.type(), peer, tag, context.native(),
                         &request),
               "MPI_Irecv");
    keep_for_ever(std::move(memory));
    mpi::check(MPI_Request_free(&request), "MPI_Request_free");
  } catch (...) { // without memory the sender waits for ever
  }
}

bool take_message_of_other_length(mpi::comm_view context, int peer, int expected) {
  int found = 0;
  MPI_Status status;
  mpi::check(MPI_Iprobe(peer, MPI_ANY_TAG, context.native(), &found, &status), "MPI_Iprobe");
  if (found == 0 || !differ_in_guard_alone(status.MPI_TAG, expected))
    return false;
  take_away(context, peer, status.MPI_TAG);
  return true;
}

} // namespace seam::detail
