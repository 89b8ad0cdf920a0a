// The program that docs/endpoints.md shows: ranks that are threads, and share a table.
//
//     mpiexec -n 2 endpoints
//     6 ranks: the table's sum 8386560, what neighbors have passed on 8386560
#include <seam/endpoints.hpp>
#include <seam/exchange.hpp>
#include <seam/program.hpp>
#include <seam/sum.hpp>

#include <array>
#include <numeric>
#include <span>
#include <thread>
#include <vector>

// What one rank does. It knows nothing of threads: `all` has its rank, and the number of ranks.
void work(seam::Communicator const& all, std::span<double const> table) {
  int const rank = all.rank(), size = all.size();
  int const left = (rank + size - 1) % size, right = (rank + 1) % size;

  // Its own part of the table, which all ranks of the process read.
  auto const begin = table.begin() + std::ssize(table) * rank / size;
  auto const end = table.begin() + std::ssize(table) * (rank + 1) / size;
  std::array<double, 1> const own{std::accumulate(begin, end, 0.0)};

  // Messages and collectives, as between processes.
  seam::Communicator const ring = seam::make_graph(all, seam::Topology::graph({{left}}, {{right}}));
  std::array<double, 1> from_left{};
  seam::run(ring, seam::alltoall(own, from_left));
  double const total = seam::sum(all, own[0]), passed_on = seam::sum(all, from_left[0]);
  seam::print(all, "{} ranks: the table's sum {}, what neighbors have passed on {}\n", size, total,
              passed_on);
}

int main(int argc, char** argv) {
  seam::Runtime runtime(argc, argv);

  // One table for a process, not one for each rank.
  std::vector<double> table(4096);
  std::iota(table.begin(), table.end(), 0.0);

  // Three ranks of this process, each in a thread of its own.
  constexpr int ranks_here = 3;
  std::vector<seam::Communicator> const own = seam::create_endpoints(runtime.world(), ranks_here);
  std::vector<std::jthread> threads;
  for (seam::Communicator const& each : own)
    threads.emplace_back([&] { work(each, table); });
}
