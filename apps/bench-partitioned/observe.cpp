#include "observe.hpp"

#include <algorithm>
#include <atomic>

namespace partitioned_bench {
namespace {

/// Keeps the core busy.
void compute(seconds time) {
  auto const end = std::chrono::steady_clock::now() + time;
  while (std::chrono::steady_clock::now() < end) {
  }
}

/// Writes one byte of each cache line, without changing its value.
void renew(std::span<std::byte> bytes) {
  constexpr int cache_line = 64;
  for (std::int64_t k = 0; k < std::ssize(bytes); k += cache_line) {
    std::byte volatile& written = bytes[k];
    written = written;
  }
}

/// The work before partition `p` of `partitions` is ready.
/// @param all  work of an epoch
seconds work_for(course how, int p, int partitions, seconds all) {
  return how == course::laggard && p + 1 == partitions ? all : seconds(0);
}

} // namespace

void produce(route const& along, course how, int p, seconds all) {
  if (!along.sends())
    return;
  compute(work_for(how, p, along.partitions, all));
  auto const length = along.partition_bytes();
  renew(along.out.subspan(p * length, length));
}

namespace {

using clock = std::chrono::steady_clock;

double now() { return seconds(clock::now().time_since_epoch()).count(); }

/// The times of one epoch on one rank, readings of the clock. [s]
struct seen {
  double last_ready, arrived;
};

/// Runs one epoch and notes its times.
seen watch(way& by, route const& along, course how, seconds work) {
  std::atomic<double> last_ready = 0;
  by.start();
  on_all_threads(along.partitions, [&](int p) {
    produce(along, how, p, work);
    double const ready = now();
    for (double last = last_ready;
         last < ready && !last_ready.compare_exchange_weak(last, ready);) {
    }
    by.ready(p);
  });
  by.finish();
  return {last_ready, now()};
}

/// Sends `own` along the route; returns the sender's value, or `own` on ranks that do not receive.
double from_sender(route const& along, double own) {
  double received = own;
  seam::mpi::check(MPI_Sendrecv(&own, 1, MPI_DOUBLE, along.to, 1, &received, 1, MPI_DOUBLE,
                                along.from, 1, along.comm.view().native(), MPI_STATUS_IGNORE),
                   "MPI_Sendrecv");
  return received;
}

/// Runs an epoch whose last partition becomes ready after its work, and returns the fraction of
/// partitions that have arrived before.
double early_fraction(way& by, route const& along, course how, seconds work) {
  by.start();
  for (int p = 0; p + 1 < along.partitions; ++p) {
    produce(along, how, p, work);
    by.ready(p);
  }
  auto const end =
      clock::now() +
      (along.sends() ? work_for(how, along.partitions - 1, along.partitions, work) : work);
  int early = 0;
  do
    early = by.num_arrived();
  while (clock::now() < end);
  seam::mpi::barrier(along.comm);
  by.ready(along.partitions - 1);
  by.finish();
  return along.receives() ? static_cast<double>(early) / along.partitions : 0;
}

/// The largest of the medians of all ranks that `have` values.
double median_of(route const& along, std::vector<double> values, bool have) {
  std::ranges::sort(values);
  double const median = have ? values[values.size() / 2] : 0;
  return seam::mpi::allreduce(along.comm, median, MPI_MAX);
}

} // namespace

observation observe(way& by, route const& along, course how, seconds work, int epochs) {
  std::vector<double> after_ready, early;
  for (int epoch = 0; epoch < epochs; ++epoch) {
    seam::mpi::barrier(along.comm);
    seen const times = watch(by, along, how, work);
    after_ready.push_back(times.arrived - from_sender(along, times.last_ready));
    seam::mpi::barrier(along.comm);
    early.push_back(early_fraction(by, along, how, work));
  }
  return {static_cast<double>(along.out.size()) / median_of(along, after_ready, along.receives()),
          median_of(along, early, along.receives())};
}

} // namespace partitioned_bench
