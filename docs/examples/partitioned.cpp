// The program that docs/partitioned.md shows.
//
//     mpiexec -n 2 partitioned
//     10 epochs of 8 partitions, wrong: 0
#include <seam/partitioned.hpp>
#include <seam/program.hpp>
#include <seam/sum.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <vector>

int main(int argc, char** argv) {
  seam::Runtime runtime(argc, argv);
  int const rank = runtime.rank(), size = runtime.size();
  int const next = (rank + 1) % size, previous = (rank + size - 1) % size;

  constexpr int num_partitions = 8, length = 1000;
  std::vector<int> mine(num_partitions * length), theirs(mine.size()), total(mine.size());
  auto out = seam::psend_init(runtime, seam::in_partitions(mine, num_partitions), next, 0);
  auto in = seam::precv_init(runtime, seam::in_partitions(theirs, num_partitions), previous, 0);
  auto sum = seam::pallreduce_init(runtime, seam::in_partitions(mine, num_partitions),
                                   seam::in_partitions(total, num_partitions), MPI_SUM);

  int num_wrong = 0;
  for (int epoch = 0; epoch < 10; ++epoch) {
    for (auto* const operation : {&out, &in, &sum})
      operation->start();
    // Threads write partitions. Each may leave as soon as it is written.
    Kokkos::RangePolicy<Kokkos::DefaultHostExecutionSpace> const partitions(0, num_partitions);
    Kokkos::parallel_for("write", partitions, [&](int p) {
      std::fill_n(mine.begin() + p * length, length, epoch + rank + p);
      out.ready(p);
      sum.ready(p);
    });
    // A partition that has arrived is read while others are still on their way.
    for (int p = 0; p < num_partitions; ++p) {
      while (!in.arrived(p) || !sum.arrived(p)) {
      }
      num_wrong += theirs[p * length] != epoch + previous + p;
      num_wrong += total[p * length] != size * (epoch + p) + size * (size - 1) / 2;
    }
    for (auto* const operation : {&out, &in, &sum})
      operation->wait();
  }
  seam::print(runtime, "10 epochs of {} partitions, wrong: {}\n", num_partitions,
              seam::sum(runtime, num_wrong));
}
