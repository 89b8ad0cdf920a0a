#include <seam/exchange/sparse/algorithms/dissemination.hpp>

#include <seam/exchange/waiting/mpi_bytes.hpp>

namespace seam::detail {

void dissemination::start(bool own, carried first_round) {
  combined_ = std::byte{own};
  distance_ = 1;
  awaits_previous_ = first_round.from_previous;
  start_round(first_round);
}

void dissemination::hear(bool received) {
  combined_ |= std::byte{received};
  awaits_previous_ = false;
}

void dissemination::start_round(carried besides) {
  if (distance_ >= size_)
    return;
  sent_ = combined_;
  received_ = std::byte{0};
  int const from = (rank_ + size_ - distance_) % size_, to = (rank_ + distance_) % size_;
  if (!besides.from_previous)
    requests_[0] = mpi::start_receive(over_, {&received_, 1}, from, tag_);
  if (!besides.to_next)
    requests_[1] = mpi::start_send(over_, {&sent_, 1}, to, tag_);
}

bool dissemination::test() {
  while (distance_ < size_) {
    if (awaits_previous_)
      return false;
    for (MPI_Request& request : requests_) {
      int complete = 0;
      mpi::check(MPI_Test(&request, &complete, MPI_STATUS_IGNORE), "MPI_Test");
      if (complete == 0)
        return false;
    }
    combined_ |= received_;
    distance_ *= 2;
    start_round({});
  }
  return true;
}

} // namespace seam::detail
