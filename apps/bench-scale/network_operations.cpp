// Messages in a ring, from which the model takes what the network does.
#include "operations.hpp"

#include <seam/exchange/waiting/mpi_bytes.hpp>

#include <vector>

namespace scale_bench {
namespace {

/// Each rank sends `count` messages of `length` bytes to the next, and receives as many.
void measure_ring(survey& all, char const* name, int count, std::size_t length) {
  seam::mpi::comm_view const ring = all.world().context();
  int const next = (ring.rank() + 1) % ring.size(),
            before = (ring.rank() + ring.size() - 1) % ring.size();
  std::vector<std::byte> sent(length), received(count * length);
  all.measure(name, [&] {
    seam::mpi::requests messages;
    for (int k = 0; k < count; ++k)
      messages.add(seam::mpi::start_receive(ring, std::span(received).subspan(k * length, length),
                                            before, k));
    for (int k = 0; k < count; ++k)
      messages.add(seam::mpi::start_send(ring, sent, next, k));
    messages.wait();
    return nullptr;
  });
}

} // namespace

void measure_network(survey& all) {
  measure_ring(all, a_message, 1, sizeof(double));
  measure_ring(all, further_messages, 1 + num_further_messages, sizeof(double));
  measure_ring(all, a_long_message, 1, length_of_long_message);
}

} // namespace scale_bench
