/// Epochs of partitioned operations for tests: all partitions in random order, or some before the
/// rest.
#pragma once

#include <seam/exchange/agreement/mpi_collective.hpp>
#include <seam/exchange/partitioned/partitioned_operation.hpp>
#include <seam/exchange/waiting/detail/patience.hpp>

#include <support/catch.hpp>

#include <algorithm>
#include <numeric>
#include <random>
#include <vector>

namespace seam::testing {

/// The numbers 0 to count - 1 in a random order.
inline std::vector<int> shuffled(int count, std::mt19937& random) {
  std::vector<int> order(count);
  std::iota(order.begin(), order.end(), 0);
  std::ranges::shuffle(order, random);
  return order;
}

inline void wait_until_arrived(partitioned_operation& tested, int partition) {
  for (detail::patience wait; !tested.arrived(partition); wait.pause()) {
  }
}

/// Runs epochs in which partitions become ready one by one in random order, and all at once.
/// @param reset, check  called before and after each epoch
template <class Reset, class Check>
void run_epochs(partitioned_operation& tested, int epochs, Reset reset, Check check) {
  std::mt19937 random(11);
  for (int epoch = 0; epoch < epochs; ++epoch) {
    reset(epoch);
    tested.start();
    if (epoch % 2 == 0)
      for (int p : shuffled(tested.num_leaving(), random))
        tested.ready(p);
    else if (tested.num_leaving() > 0)
      tested.ready_range(0, tested.num_leaving() - 1);
    if (epoch % 3 == 0)
      for (int p : shuffled(tested.num_arriving(), random))
        wait_until_arrived(tested, p);
    tested.wait();
    check(epoch);
  }
}

/// Marks the leaving partitions for which is_lone(p) is true, waits until the arriving ones with
/// is_lone(p) have come, and asserts that no others arrive before they are marked.
/// Collective: over `world`, which contains all ranks of the operation.
template <class IsLone>
void expect_early_arrival(mpi::comm_view world, partitioned_operation& tested, int epochs,
                          IsLone is_lone) {
  for (int epoch = 0; epoch < epochs; ++epoch) {
    tested.start();
    for (int p = 0; p < tested.num_leaving(); ++p)
      if (is_lone(p))
        tested.ready(p);
    for (int p = 0; p < tested.num_arriving(); ++p)
      if (is_lone(p))
        wait_until_arrived(tested, p);
    for (int p = 0; p < tested.num_arriving(); ++p)
      CHECK(tested.arrived(p) == is_lone(p));
    CHECK((tested.num_leaving() == 0 || !tested.test()));
    mpi::barrier(world);
    for (int p = 0; p < tested.num_leaving(); ++p)
      if (!is_lone(p))
        tested.ready(p);
    tested.wait();
  }
}

} // namespace seam::testing
