/// Communicators of the first few ranks, which many problems share.
#pragma once

#include <seam/exchange/communicator/communicator.hpp>

#include <support/world.hpp>

#include <optional>
#include <vector>

namespace seam::testing {

/// The communicator of the first few ranks, made when it is first used; nothing on the others.
class first_ranks_kept {
public:
  first_ranks_kept() {
    for (int ranks = 1; ranks <= mpi::comm_view(MPI_COMM_WORLD).size(); ++ranks) {
      auto const part = first_ranks(ranks);
      all_.emplace_back();
      if (part.is_open())
        all_.back() = Communicator::dup(part);
    }
  }
  std::optional<Communicator> const& operator[](int ranks) const { return all_[ranks - 1]; }

private:
  std::vector<std::optional<Communicator>> all_;
};

} // namespace seam::testing
