#include <support/catch.hpp>

#include <seam/exchange/agreement/mpi_collective.hpp>
#include <seam/exchange/agreement/new_comm.hpp>
#include <seam/exchange/communicator/explanations.hpp>
#include <seam/exchange/communicator/node.hpp>
#include <seam/exchange/communicator/shared_memory.hpp>
#include <seam/framework/program/common_end.hpp>
#include <seam/framework/program/kokkos_session.hpp>
#include <seam/framework/program/polite_threads.hpp>
#include <seam/framework/program/runtime.hpp>
#include <seam/stencil/fields/grid.hpp>

#include <Kokkos_Core.hpp>

#include <string>
#include <thread>
#include <vector>

using namespace seam;
using namespace seam::detail;

namespace {

/// main's arguments.
struct arguments {
  explicit arguments(std::vector<std::string> all) : words(std::move(all)) {
    for (std::string& word : words)
      pointers.push_back(word.data());
    pointers.push_back(nullptr);
    argc = static_cast<int>(words.size());
    argv = pointers.data();
  }

  std::vector<std::string> words;
  std::vector<char*> pointers;
  int argc;
  char** argv;
};

int size_of(Communicator const& comm) { return comm.size(); }
int size_of_view(mpi::comm_view comm) { return comm.size(); }

} // namespace

TEST_CASE("a Runtime stands for the communicator of all ranks") {
  arguments of_main({"program"});
  Runtime const runtime(of_main.argc, of_main.argv);
  mpi::comm_view const all(MPI_COMM_WORLD);
  CHECK(runtime.rank() == all.rank());
  CHECK(runtime.size() == all.size());
  CHECK(size_of(runtime) == all.size());
  CHECK(size_of_view(runtime) == all.size());
  CHECK(runtime.world().topology() == Topology::complete());
  int same = MPI_IDENT;
  MPI_Comm_compare(runtime.world().view().native(), MPI_COMM_WORLD, &same);
  CHECK(same == MPI_CONGRUENT);
}

TEST_CASE("--explain is taken out of the options, and left alone behind them") {
  {
    arguments of_main({"program", "--explain", "--cells", "8", "--explain", "--", "--explain"});
    Runtime const runtime(of_main.argc, of_main.argv);
    CHECK(explanations_are_on());
    REQUIRE(of_main.argc == 5);
    CHECK(std::string(of_main.argv[1]) == "--cells");
    CHECK(std::string(of_main.argv[4]) == "--explain");
    CHECK(of_main.argv[5] == nullptr);
  }
  CHECK_FALSE(explanations_are_on());
  arguments of_main({"program", "--", "--explain"});
  Runtime const runtime(of_main.argc, of_main.argv);
  CHECK_FALSE(explanations_are_on());
  REQUIRE(of_main.argc == 3);
  CHECK(std::string(of_main.argv[2]) == "--explain");
}

TEST_CASE("processes of a node share memory once a Runtime has started") {
  arguments of_main({"program"});
  Runtime const runtime(of_main.argc, of_main.argv);
  if (!shared_memory_is_on() || runtime.world().node().is_alone())
    return;
  for (int other = 0; other < runtime.size(); ++other) {
    bool const is_near = runtime.world().known_node()->local_rank(other) != node::elsewhere;
    CHECK((known_on_node(runtime.world(), other) == other) == is_near);
  }
}

TEST_CASE("a grid is declared on a Runtime with its options in braces") {
  arguments of_main({"program"});
  Runtime runtime(of_main.argc, of_main.argv);
  Grid<2> grid(runtime, {.cells = {24, 18}, .periodic = {true, true}});
  CHECK(mpi::allreduce(runtime, grid.owned().num_cells(), MPI_SUM) == 24 * 18);
}

TEST_CASE("a Runtime describes the job in one line") {
  arguments of_main({"program"});
  Runtime const runtime(of_main.argc, of_main.argv);
  auto const line = runtime.describe();
  CHECK(line.find('\n') == std::string::npos);
  CHECK(line.find(std::to_string(runtime.size()) + " rank") != std::string::npos);
  CHECK(line.find("Kokkos " + std::to_string(KOKKOS_VERSION / 10000)) != std::string::npos);
  CHECK(runtime.num_nodes() >= 1);
  CHECK(runtime.num_nodes() <= runtime.size());
  CHECK(runtime.num_threads() == Kokkos::DefaultHostExecutionSpace().concurrency());
}

TEST_CASE("a Runtime knows whether there is a core for each rank") {
  arguments of_main({"program"});
  Runtime const runtime(of_main.argc, of_main.argv);
  auto const share = detail::find_core_share(mpi::split_shared(runtime));
  CHECK(runtime.has_core_for_each() ==
        (mpi::allreduce(runtime, share.ranks - share.cores, MPI_MAX) <= 0));
  if (runtime.size() == 1)
    CHECK(runtime.has_core_for_each());
}

TEST_CASE("Kokkos' options leave main's arguments, others stay in their order") {
  arguments of_main({"program", "--kokkos-threads=2", "a", "--kokkos-tune-internals", "--kokkosish",
                     "b"});
  auto const taken = detail::take_kokkos_options(of_main.argc, of_main.argv);
  CHECK(taken == std::vector<std::string>{"--kokkos-threads=2", "--kokkos-tune-internals"});
  std::vector<std::string> const left(of_main.argv, of_main.argv + of_main.argc);
  CHECK(left == std::vector<std::string>{"program", "a", "--kokkosish", "b"});
  CHECK(of_main.argv[of_main.argc] == nullptr);
}

TEST_CASE("ranks that may run on the same cores share them") {
  auto const node = mpi::split_shared(MPI_COMM_WORLD);
  mpi::comm_view const view = node;
  auto const share = detail::find_core_share(view);
  CHECK(share.cores >= 1);
  CHECK(share.cores <= static_cast<int>(std::thread::hardware_concurrency()));
  CHECK(share.ranks >= 1);
  CHECK(share.ranks <= view.size());
  CHECK(share.threads() >= 1);
  CHECK(share.threads() * share.ranks <= std::max(share.cores, share.ranks));
}

TEST_CASE("ranks that meet learn the lowest that failed") {
  mpi::comm_view const all(MPI_COMM_WORLD);
  detail::common_end place(all);
  CHECK(place.meet(false) == all.size());
  CHECK(place.meet(all.rank() == all.size() - 1) == all.size() - 1);
  CHECK(place.meet(true) == 0);
}

TEST_CASE("ranks that meet wait for the last one") {
  mpi::comm_view const all(MPI_COMM_WORLD);
  detail::common_end place(all);
  using clock = std::chrono::steady_clock;
  mpi::barrier(all);
  auto const begin = clock::now();
  if (all.rank() == all.size() - 1)
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
  place.meet(false);
  CHECK(clock::now() - begin >= std::chrono::milliseconds(150));
}
