#include <seam/exchange/endpoints/detail/collectives.hpp>

#include <seam/exchange/ground/error.hpp>
#include <seam/exchange/waiting/detail/patience.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <deque>
#include <numeric>

namespace seam::detail {
namespace {

using bytes_in = std::span<std::byte const>;
using bytes_out = std::span<std::byte>;

void copy_bytes(bytes_in from, bytes_out to) {
  if (!from.empty())
    std::memcpy(to.data(), from.data(), from.size());
}

template <class Bytes>
Bytes block(Bytes all, std::ptrdiff_t length, int number) {
  return all.subspan(length * number, length);
}

/// The first byte and the length of elements; those of MPI's own types that reductions take lie one
/// behind the other.
struct laid_out {
  laid_out(int count, MPI_Datatype type) {
    MPI_Aint lower = 0, extent = 0;
    mpi::check(MPI_Type_get_extent(type, &lower, &extent), "MPI_Type_get_extent");
    bytes = count * extent;
  }
  std::int64_t bytes;
};

/// into = left op into.
void combine(void const* left, void* into, int count, MPI_Datatype type, MPI_Op op) {
  mpi::check(MPI_Reduce_local(left, into, count, type, op), "MPI_Reduce_local");
}

/// Sends, starts a receive, and waits for both.
void exchange(mpi::context& over, bytes_in sent, int to, bytes_out into, int from, int tag) {
  mpi::transfer receiving(into, from, tag), sending(sent, to, tag);
  over.send(sending); // first: the other rank waits for it
  over.receive(receiving);
  wait_for(over, receiving);
  wait_for(over, sending);
}

void check_length(mpi::transfer const& received, std::int64_t expected) {
  if (received.bytes == expected)
    return;
  throw mpi_error(fmt::format("set-up: a message of {} bytes from rank {} (expected {}, as on this "
                              "rank)",
                              received.bytes, received.peer, expected),
                  MPI_ERR_TRUNCATE);
}

} // namespace

void wait_for(mpi::context& over, mpi::transfer& message) {
  for (patience wait; !message.is_done_with_help(); wait.pause())
    over.progress();
}

void send(mpi::context& over, bytes_in bytes, int to, int tag) {
  mpi::transfer message(bytes, to, tag);
  over.send(message);
  wait_for(over, message);
}

void receive(mpi::context& over, bytes_out into, int from, int tag) {
  mpi::transfer message(into, from, tag);
  over.receive(message);
  wait_for(over, message);
  check_length(message, std::ssize(into));
}

/// In each round a rank tells the one twice as far behind it that it has come.
void barrier(mpi::context& over) {
  int const size = over.size(), rank = over.rank();
  for (int step = 1; step < size; step *= 2)
    exchange(over, {}, (rank + step) % size, {}, (rank + size - step) % size, tag_of_barriers);
}

void pending_barrier::start() {
  step_ = 1;
  begin_round();
}

void pending_barrier::begin_round() {
  int const size = over_.size(), rank = over_.rank();
  if (step_ >= size)
    return;
  receiving_.restart();
  receiving_.bytes = sending_.bytes = 0;
  receiving_.peer = (rank + size - step_) % size;
  sending_.restart();
  sending_.peer = (rank + step_) % size;
  sending_.tag = receiving_.tag = tag_of_pending_barriers;
  over_.receive(receiving_);
  over_.send(sending_);
}

bool pending_barrier::test() {
  if (step_ == 0)
    return false;
  while (step_ < over_.size()) {
    if (!receiving_.is_done() || !sending_.is_done()) {
      over_.progress();
      return false;
    }
    step_ *= 2;
    begin_round();
  }
  return true;
}

/// Along a binomial tree, whose root has number 0.
void bcast(mpi::context& over, bytes_out bytes, int root) {
  int const size = over.size(), number = (over.rank() + size - root) % size;
  auto const rank_of = [&](int n) { return (n + root) % size; };
  int step = 1;
  while (step < size && number % (2 * step) == 0)
    step *= 2;
  if (number != 0)
    receive(over, bytes, rank_of(number - step), tag_of_broadcasts);
  for (step /= 2; step > 0; step /= 2)
    if (number + step < size)
      send(over, bytes, rank_of(number + step), tag_of_broadcasts);
}

/// Up a binomial tree and down again: operands stay in the order of the ranks.
void allreduce(mpi::context& over, void* values, int count, MPI_Datatype type, MPI_Op op) {
  int const size = over.size(), rank = over.rank();
  laid_out const length(count, type);
  bytes_out const own(static_cast<std::byte*>(values), length.bytes);
  std::vector<std::byte> other(length.bytes);
  for (int step = 1; step < size; step *= 2) {
    if (rank % (2 * step) != 0) {
      send(over, own, rank - step, tag_of_reductions);
      break;
    }
    if (rank + step >= size)
      continue;
    receive(over, other, rank + step, tag_of_reductions);
    combine(values, other.data(), count, type, op);
    copy_bytes(other, own);
  }
  bcast(over, own, 0);
}

void exscan(mpi::context& over, void* values, int count, MPI_Datatype type, MPI_Op op) {
  int const rank = over.rank();
  laid_out const length(count, type);
  bytes_out const own(static_cast<std::byte*>(values), length.bytes);
  std::vector<std::byte> before(length.bytes);
  if (rank > 0)
    receive(over, before, rank - 1, tag_of_scans);
  if (rank + 1 < over.size()) {
    if (rank > 0)
      combine(before.data(), values, count, type, op);
    send(over, own, rank + 1, tag_of_scans);
  }
  if (rank > 0)
    copy_bytes(before, own);
}

/// Each rank passes on what it knows to one twice as far away in each round.
void allgather(mpi::context& over, bytes_in own, bytes_out all) {
  int const size = over.size(), rank = over.rank();
  std::vector<std::byte> known(all.size()); // from this rank on
  copy_bytes(own, known);
  auto const length = std::ssize(own);
  for (int step = 1; step < size; step *= 2) {
    auto const bytes = length * std::min(step, size - step);
    exchange(over, bytes_in(known).first(bytes), (rank + size - step) % size,
             bytes_out(known).subspan(length * step, bytes), (rank + step) % size, tag_of_gathers);
  }
  for (int k = 0; k < size; ++k)
    copy_bytes(block(bytes_in(known), length, k), block(all, length, (rank + k) % size));
}

void gather(mpi::context& over, bytes_in own, bytes_out all, std::span<std::int64_t const> lengths,
            int root) {
  if (over.rank() != root)
    return send(over, own, root, tag_of_gathers);
  std::int64_t begin = 0;
  for (int rank = 0; rank < over.size(); ++rank) {
    auto const place = all.subspan(begin, lengths[rank]);
    if (rank == root)
      copy_bytes(own, place);
    else
      receive(over, place, rank, tag_of_gathers);
    begin += lengths[rank];
  }
}

void scatter(mpi::context& over, bytes_in all, bytes_out own, int root) {
  if (over.rank() != root)
    return receive(over, own, root, tag_of_scatters);
  for (int rank = 0; rank < over.size(); ++rank) {
    auto const value = block(all, std::ssize(own), rank);
    if (rank == root)
      copy_bytes(value, own);
    else
      send(over, value, rank, tag_of_scatters);
  }
}

void alltoall(mpi::context& over, bytes_in sent, bytes_out received) {
  int const size = over.size(), rank = over.rank();
  std::ptrdiff_t const length = std::ssize(sent) / size;
  copy_bytes(block(sent, length, rank), block(received, length, rank));
  for (int step = 1; step < size; ++step) {
    int const to = (rank + step) % size, from = (rank + size - step) % size;
    exchange(over, block(sent, length, to), to, block(received, length, from), from,
             tag_of_alltoalls);
  }
}

} // namespace seam::detail
