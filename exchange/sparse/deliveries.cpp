#include <seam/exchange/sparse/deliveries.hpp>

#include <seam/exchange/agreement/new_comm.hpp>
#include <seam/exchange/communicator/shared_memory.hpp>
#include <seam/exchange/ground/error.hpp>
#include <seam/exchange/sparse/algorithms/cached.hpp>
#include <seam/exchange/sparse/algorithms/consensus.hpp>
#include <seam/exchange/sparse/algorithms/counts.hpp>
#include <seam/exchange/sparse/algorithms/hypercube.hpp>
#include <seam/exchange/sparse/algorithms/two_level.hpp>

namespace seam::detail {
namespace {

using kept = std::shared_ptr<deliveries>;

int delete_deliveries(MPI_Comm, int, void* attribute, void*) {
  delete static_cast<kept*>(attribute);
  return MPI_SUCCESS;
}

/// The attribute key of the deliveries of a communicator. Duplicates start without deliveries.
int attribute_key() {
  static int const made = [] {
    int keyval = MPI_KEYVAL_INVALID;
    mpi::check(MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, delete_deliveries, &keyval, nullptr),
               "MPI_Comm_create_keyval");
    return keyval;
  }();
  return made;
}

} // namespace

std::shared_ptr<deliveries> deliveries::of(Communicator const& over) {
  mpi::comm_view const keeper = over.context();
  void* attribute = nullptr;
  int found = 0;
  mpi::check(MPI_Comm_get_attr(keeper.native(), attribute_key(), &attribute, &found),
             "MPI_Comm_get_attr");
  if (found != 0)
    return *static_cast<kept*>(attribute);
  auto made = std::make_unique<kept>(std::make_shared<deliveries>(mpi::dup(over.context())));
  kept result = *made;
  mpi::check(MPI_Comm_set_attr(keeper.native(), attribute_key(), made.get()), "MPI_Comm_set_attr");
  static_cast<void>(made.release());
  return result;
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
