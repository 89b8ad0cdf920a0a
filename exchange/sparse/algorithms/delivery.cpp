#include <seam/exchange/sparse/algorithms/delivery.hpp>

namespace seam::detail {

void deliver(delivery& way, int rank, outbox& out, inbox& in) {
  if (out.has_message_to(rank))
    in.add(rank, out.take(rank, in));
  way.run(out.parcels(), in);
  out.clear();
}

} // namespace seam::detail
