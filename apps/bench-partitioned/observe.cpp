#include "observe.hpp"

#include <algorithm>
#include <atomic>

namespace partitioned_bench {
namespace {

using clock = std::chrono::steady_clock;

double now() { return seconds(clock::now().time_since_epoch()).count(); }

/// One epoch, as one rank sees it.
struct seen {
  double last_ready = 0, arrived = 0; ///< by the clock
  double in_calls = 0, all = 0;       ///< [s]
};

/// Time in calls of all threads, spread over them.
seen watch(way& by, route const& along, course how, seconds work) {
  std::atomic<double> in_calls = 0, last_ready = 0;
  auto const timed = [&](auto const& call) {
    double const begin = now();
    call();
    in_calls.fetch_add(now() - begin);
  };
  double const begin = now();
  timed([&] { by.start(); });
  on_all_threads(along.partitions, [&](int p) {
    produce(along, how, p, work);
    double const ready = now();
    for (double last = last_ready;
         last < ready && !last_ready.compare_exchange_weak(last, ready);) {
    }
    timed([&] { by.ready(p); });
  });
  timed([&] { by.finish(); });
  double const end = now();
  return {last_ready, end, in_calls / Kokkos::DefaultHostExecutionSpace().concurrency(),
          end - begin};
}

/// What the rank at the other end of what arrives says of `mine`.
double from_sender(route const& along, double mine) {
  double its = mine;
  seam::mpi::check(MPI_Sendrecv(&mine, 1, MPI_DOUBLE, along.to, 1, &its, 1, MPI_DOUBLE, along.from,
                                1, along.comm.view().native(), MPI_STATUS_IGNORE),
                   "MPI_Sendrecv");
  return its;
}

/// In an epoch whose last partition waits until all that can have arrived has had the time to.
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

/// The median of what the ranks that `have` one know, the largest of all ranks' medians.
double median_of(route const& along, std::vector<double> values, bool have) {
  std::ranges::sort(values);
  double const median = have ? values[values.size() / 2] : 0;
  return seam::mpi::allreduce(along.comm, median, MPI_MAX);
}

} // namespace

observation observe(way& by, route const& along, course how, seconds work, int epochs) {
  std::vector<double> after_ready, in_calls, early;
  for (int epoch = 0; epoch < epochs; ++epoch) {
    seam::mpi::barrier(along.comm);
    seen const one = watch(by, along, how, work);
    after_ready.push_back(one.arrived - from_sender(along, one.last_ready));
    in_calls.push_back(one.in_calls / one.all);
    seam::mpi::barrier(along.comm);
    early.push_back(early_fraction(by, along, how, work));
  }
  return {static_cast<double>(along.out.size()) / median_of(along, after_ready, along.receives()),
          1 - median_of(along, in_calls, along.sends()), median_of(along, early, along.receives())};
}

} // namespace partitioned_bench
