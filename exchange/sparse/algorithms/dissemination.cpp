#include <seam/exchange/sparse/algorithms/dissemination.hpp>

#include <seam/exchange/waiting/mpi_bytes.hpp>

namespace seam::detail {

void dissemination::start(bool mine, carried first_round) {
  heard_ = std::byte{mine};
  distance_ = 1;
  awaits_previous_ = first_round.from_previous;
  start_round(first_round);
}

void dissemination::hear(bool theirs) {
  heard_ |= std::byte{theirs};
  awaits_previous_ = false;
}

void dissemination::start_round(carried besides) {
  if (distance_ >= size_)
    return;
  told_ = heard_;
  arrives_ = std::byte{0};
  int const from = (rank_ + size_ - distance_) % size_, to = (rank_ + distance_) % size_;
  if (!besides.from_previous)
    requests_[0] = mpi::start_receive(over_, {&arrives_, 1}, from, tag_);
  if (!besides.to_next)
    requests_[1] = mpi::start_send(over_, {&told_, 1}, to, tag_);
}

bool dissemination::test() {
  while (distance_ < size_) {
    if (awaits_previous_)
      return false;
    for (MPI_Request& one : requests_) {
      int complete = 0;
      mpi::check(MPI_Test(&one, &complete, MPI_STATUS_IGNORE), "MPI_Test");
      if (complete == 0)
        return false;
    }
    heard_ |= arrives_;
    distance_ *= 2;
    start_round({});
  }
  return true;
}

} // namespace seam::detail
