#include <seam/exchange/sparse/deliveries.hpp>

#include <seam/exchange/agreement/new_comm.hpp>
#include <seam/exchange/communicator/kept.hpp>
#include <seam/exchange/sparse/algorithms/delivery.hpp>
#include <seam/exchange/sparse/algorithms/table.hpp>

namespace seam::detail {

void deliver(delivery& algorithm, int rank, outbox& out, inbox& in) {
  if (out.has_message_to(rank))
    in.add(rank, out.take(rank, in));
  algorithm.run(out.parcels(), in);
  out.clear();
}

std::shared_ptr<deliveries> deliveries::of(Communicator const& over) {
  return kept_pointer<deliveries>(over, [&] {
    return std::make_shared<deliveries>(mpi::dup(over.context()));
  });
}

delivery& deliveries::by(sparse_algorithm algorithm) {
  auto& place = made_[algorithm];
  if (place == nullptr)
    place = entry_of(algorithm).make(*this);
  return *place;
}

} // namespace seam::detail
