#include "kernel/measure.hpp"

#include "kernel/calls.hpp"

namespace guidelines {
namespace {

/// Makes the call once; true if its result is right on all processes.
/// Collective: over `world`.
bool leaves_right_result(measured_call const& call, seam::Communicator const& world) {
  call.run(0);
  if (call.after)
    call.after();
  return seam::mpi::allreduce(world, call.is_right() ? 1 : 0, MPI_MIN) != 0;
}

double time_once(measured_call const& call, std::uint64_t work, seam::mpi::comm_view barrier) {
  dissemination_barrier(barrier);
  double const begin = MPI_Wtime();
  call.run(work);
  double const seconds = MPI_Wtime() - begin;
  dissemination_barrier(barrier);
  if (call.after)
    call.after();
  return seconds;
}

} // namespace

result measure(levels const& words, seam::Communicator const& world, seam::mpi::comm_view barrier) {
  auto const described = experiment_of(words);
  auto const call = make_call(described, world);
  if (!call)
    return {.experiment = words, .outcome = status::absent, .seconds = {}};
  if (!leaves_right_result(*call, world))
    return {.experiment = words, .outcome = status::wrong, .seconds = {}};
  std::vector<double> own(described.repetitions), all(own.size());
  for (double& seconds : own)
    seconds = time_once(*call, described.work, barrier);
  seam::mpi::check(MPI_Reduce(own.data(), all.data(), described.repetitions, MPI_DOUBLE, MPI_MAX, 0,
                              barrier.native()),
                   "MPI_Reduce");
  return {.experiment = words, .seconds = std::move(all)};
}

void dissemination_barrier(seam::mpi::comm_view over) {
  constexpr int tag = 0;
  int const size = over.size(), rank = over.rank();
  for (int distance = 1; distance < size; distance *= 2)
    seam::mpi::check(MPI_Sendrecv(nullptr, 0, MPI_BYTE, (rank + distance) % size, tag, nullptr, 0,
                                  MPI_BYTE, (rank - distance + size) % size, tag, over.native(),
                                  MPI_STATUS_IGNORE),
                     "MPI_Sendrecv");
}

} // namespace guidelines
