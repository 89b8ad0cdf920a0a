#include <seam/exchange/sparse/algorithms/hypercube.hpp>

#include <seam/exchange/sparse/algorithms/records.hpp>

namespace seam::detail {

/// One round among ranks [begin, end); the upper half begins at `middle`.
struct hypercube::half_swap {
  half_swap(int first, int last, int own_rank)
      : begin(first), middle(first + (last - first + 1) / 2), end(last), rank(own_rank) {}

  bool is_low(int tested_rank) const noexcept { return tested_rank < middle; }
  bool is_odd() const noexcept { return (end - begin) % 2 != 0; }

  /// The mirror image of the rank; the last rank of a longer lower half is its own.
  int partner() const noexcept { return begin + end - 1 - rank; }
  bool has_partner() const noexcept { return partner() != rank; }
  int destination() const noexcept { return has_partner() ? partner() : middle; }
  bool receives_from_odd_rank() const noexcept { return is_odd() && rank == middle; }

  half_swap next() const noexcept {
    return is_low(rank) ? half_swap(begin, middle, rank) : half_swap(middle, end, rank);
  }

  int begin, middle, end, rank;
};

void hypercube::split_records(half_swap const& round) {
  staying_.clear();
  leaving_.clear();
  for_each_record(held_.bytes(), [&](record_head const& head, std::span<std::byte const> bytes) {
    bool const stays = round.is_low(head.to) == round.is_low(rank_);
    append_record(stays ? staying_ : leaving_, head, bytes);
  });
  std::swap(held_, staying_);
}

void hypercube::receive_from(int rank) {
  auto const found = mpi::wait_for_message(over_, rank, tags::hypercube);
  messages_.add(mpi::start_receive(over_, held_.extend(found.bytes), rank, tags::hypercube));
  messages_.wait();
}

void hypercube::swap_halves(half_swap const& round) {
  split_records(round);
  messages_.add(mpi::start_send(over_, leaving_.bytes(), round.destination(), tags::hypercube));
  if (round.has_partner())
    receive_from(round.partner());
  if (round.receives_from_odd_rank())
    receive_from(round.middle - 1);
  messages_.wait();
}

void hypercube::run(std::span<parcel const> out, inbox& in) {
  held_.clear();
  for (parcel const& message : out)
    append_record(held_, {rank_, message.to, std::ssize(message.bytes)}, message.bytes);
  for (half_swap round(0, size_, rank_); round.end - round.begin > 1; round = round.next())
    swap_halves(round);
  for_each_record(held_.bytes(), [&](record_head const& head, std::span<std::byte const> bytes) {
    std::ranges::copy(bytes, in.add(head.from, head.bytes).begin());
  });
}

} // namespace seam::detail
