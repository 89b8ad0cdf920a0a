#include <seam/mapping/network.hpp>

#include <seam/exchange/agreement/agreement.hpp>
#include <seam/exchange/agreement/mpi_collective.hpp>
#include <seam/exchange/agreement/new_comm.hpp>
#include <seam/exchange/ground/error.hpp>
#include <seam/exchange/waiting/mpi_bytes.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <mutex>
#include <optional>
#include <vector>

namespace seam {
using namespace detail;

namespace {

/// What a process knows of the network. Its ranks can be threads.
std::mutex knowing;
std::optional<network_model> model_of_process;

std::optional<network_model> known_model() {
  std::lock_guard const alone(knowing);
  return model_of_process;
}

/// The model that the environment variable SEAM_NETWORK gives, if it is set.
std::optional<network_model> model_of_environment() {
  char const* const text = std::getenv("SEAM_NETWORK");
  if (text == nullptr)
    return std::nullopt;
  network_model model;
  char rest = 0;
  int const found = std::sscanf(text, "%lf,%lf%c", &model.latency, &model.seconds_per_byte, &rest);
  if (found != 2 || !(model.latency >= 0) || !(model.seconds_per_byte >= 0))
    refuse(fmt::format("SEAM_NETWORK '{}' (expected seconds and seconds per byte, such as "
                       "1e-6,1e-10)",
                       text));
  return model;
}

/// Half of the shortest round trip of a message between the first and the last rank. [s]
double time_message(mpi::comm_view over, std::size_t bytes, int repetitions) {
  constexpr int tag = 0;
  int const rank = over.rank(), last = over.size() - 1;
  std::vector<std::byte> message(bytes);
  double least = std::numeric_limits<double>::max();
  if (rank != 0 && rank != last)
    return least;
  for (int r = 0; r < repetitions; ++r) {
    double const begin = MPI_Wtime();
    if (rank == 0)
      mpi::send(over, std::span<std::byte const>(message), last, tag);
    mpi::receive(over, std::span(message), rank == 0 ? last : 0, tag);
    if (rank == last)
      mpi::send(over, std::span<std::byte const>(message), 0, tag);
    least = std::min(least, (MPI_Wtime() - begin) / 2);
  }
  return least;
}

network_model measure(mpi::comm_view over) {
  constexpr std::size_t small = 8, large = 1 << 20;
  if (over.size() == 1)
    return {.latency = 1e-7, .seconds_per_byte = 1e-10};
  mpi::comm const alone = mpi::dup(over);
  double const first = time_message(alone, small, 30), second = time_message(alone, large, 8);
  return {.latency = first, .seconds_per_byte = std::max(0.0, second - first) / large};
}

} // namespace

network_model network_of(Communicator const& over) {
  mpi::comm_view const all = over.context();
  auto const known = collectively(all, [] {
    auto const own = known_model();
    return own ? own : model_of_environment();
  });
  bool const is_known = mpi::allreduce(all, known ? 1 : 0, MPI_MIN) == 1;
  // Where one rank knows nothing, all measure.
  network_model const own = is_known ? *known : known.value_or(measure(all));
  std::array numbers{own.latency, own.seconds_per_byte};
  mpi::bcast(all, std::span<double>(numbers), 0);
  network_model const model{numbers[0], numbers[1]}; // ranks in between have measured nothing
  set_network(model);
  return model;
}

void set_network(network_model const& model) {
  std::lock_guard const alone(knowing);
  model_of_process = model;
}

} // namespace seam
