#include <seam/exchange/sparse/deliveries.hpp>

#include <seam/exchange/agreement/new_comm.hpp>
#include <seam/exchange/communicator/kept.hpp>
#include <seam/exchange/communicator/shared_memory.hpp>
#include <seam/exchange/ground/error.hpp>
#include <seam/exchange/sparse/algorithms/cached.hpp>
#include <seam/exchange/sparse/algorithms/consensus.hpp>
#include <seam/exchange/sparse/algorithms/counts.hpp>
#include <seam/exchange/sparse/algorithms/hypercube.hpp>
#include <seam/exchange/sparse/algorithms/two_level.hpp>

namespace seam::detail {
std::shared_ptr<deliveries> deliveries::of(Communicator const& over) {
  return kept_pointer<deliveries>(over, [&] {
    return std::make_shared<deliveries>(mpi::dup(over.context()));
  });
}

delivery& deliveries::by(sparse_algorithm algorithm) {
  auto& place = made_[algorithm];
  if (place == nullptr)
    place = make(algorithm);
  return *place;
}

std::unique_ptr<delivery> deliveries::make_cached() {
  return std::make_unique<cached>(own_, by(sparse_algorithm::consensus));
}

bool deliveries::has_shared_memory() {
  if (!shared_memory_is_on())
    return false;
  try {
    by(sparse_algorithm::two_level);
    return true;
  } catch (usage_error const& problem) {
    if (!problem.on_all_ranks())
      throw;
    return false;
  }
}

std::unique_ptr<delivery> deliveries::make(sparse_algorithm algorithm) const {
  switch (algorithm) {
  case sparse_algorithm::counts: return std::make_unique<counts>(own_);
  case sparse_algorithm::hypercube: return std::make_unique<hypercube>(own_);
  case sparse_algorithm::two_level:
    return std::make_unique<two_level>(own_, mpi::split_shared(own_));
  default: return std::make_unique<consensus>(own_);
  }
}

} // namespace seam::detail
