#include <seam/exchange/sparse/algorithms/delivery.hpp>

namespace seam::detail {

void deliver(delivery& algorithm, int rank, outbox& out, inbox& in) {
  if (out.has_message_to(rank))
    in.add(rank, out.take(rank, in));
  algorithm.run(out.parcels(), in);
  out.clear();
}

} // namespace seam::detail
