/// What tests of partitioned operations do with all of them.
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
  std::vector<int> order(static_cast<std::size_t>(count));
  std::iota(order.begin(), order.end(), 0);
  std::ranges::shuffle(order, random);
  return order;
}

inline void wait_until_arrived(partitioned_operation& what, int partition) {
  for (patience wait; !what.arrived(partition); wait.pause()) {
  }
}

/// Runs epochs in which partitions become ready one by one in random order, and at once.
/// @param reset, check  called before and after each
template <class Reset, class Check>
void run_epochs(partitioned_operation& what, int epochs, Reset reset, Check check) {
  std::mt19937 random(11);
  for (int epoch = 0; epoch < epochs; ++epoch) {
    reset(epoch);
    what.start();
    if (epoch % 2 == 0)
      for (int p : shuffled(what.num_leaving(), random))
        what.ready(p);
    else if (what.num_leaving() > 0)
      what.ready_range(0, what.num_leaving() - 1);
    if (epoch % 3 == 0)
      for (int p : shuffled(what.num_arriving(), random))
        wait_until_arrived(what, p);
    what.wait();
    check(epoch);
  }
}

/// Marks those partitions of what leaves for which is_lone(p), waits until those of what arrives
/// that is_lone() names have, and asserts that no others do before they are marked.
/// Collective: over `world`, to which all belong.
template <class IsLone>
void expect_early_arrival(mpi::comm_view world, partitioned_operation& what, int epochs,
                          IsLone is_lone) {
  for (int epoch = 0; epoch < epochs; ++epoch) {
    what.start();
    for (int p = 0; p < what.num_leaving(); ++p)
      if (is_lone(p))
        what.ready(p);
    for (int p = 0; p < what.num_arriving(); ++p)
      if (is_lone(p))
        wait_until_arrived(what, p);
    for (int p = 0; p < what.num_arriving(); ++p)
      CHECK(what.arrived(p) == is_lone(p));
    CHECK((what.num_leaving() == 0 || !what.test()));
    mpi::barrier(world);
    for (int p = 0; p < what.num_leaving(); ++p)
      if (!is_lone(p))
        what.ready(p);
    what.wait();
  }
}

} // namespace seam::testing
