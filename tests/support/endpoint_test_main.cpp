// The main of tests whose ranks are endpoints: runs each case once for each endpoint, of which
// SEAM_TEST_ENDPOINTS gives the number in each process in turn, as "2" or "2,3,1". Arguments choose
// among the cases (chosen_cases.hpp).
#define CATCH_CONFIG_RUNNER // its matchers
#include <support/chosen_cases.hpp>
#include <support/endpoint_cases.hpp>

#include <seam/exchange/agreement/mpi_collective.hpp>
#include <seam/exchange/communicator/endpoints.hpp>
#include <seam/exchange/ground/detail/loop_threads.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <span>
#include <sstream>
#include <thread>

namespace seam::testing {

void fail_case(char const* file, int line, std::string const& reason) {
  std::ostringstream text;
  text << file << ':' << line << ": endpoint " << mpi::comm_view(endpoint_of_test.comm).rank()
       << " of " << mpi::comm_view(endpoint_of_test.comm).size() << ": " << reason << " ("
       << info_of_case << ")\n";
  std::cerr << text.str() << std::flush;
  MPI_Abort(MPI_COMM_WORLD, 3);
  std::abort();
}

namespace {

/// The number of endpoints of this process.
int count_here() {
  char const* const text = std::getenv("SEAM_TEST_ENDPOINTS");
  std::vector<int> counts;
  std::istringstream list(text != nullptr ? text : "2");
  for (std::string count; std::getline(list, count, ',');)
    counts.push_back(std::stoi(count));
  return counts[static_cast<std::size_t>(mpi::comm_view(MPI_COMM_WORLD).rank()) % counts.size()];
}

void run_cases(Communicator const& all, chosen_cases const& chosen, bool is_first) {
  endpoint_of_test = {all.view().native(), is_first};
  seam::detail::num_own_loop_threads = 1; // Kokkos takes the loops of one thread at a time
  for (endpoint_case const& each : all_endpoint_cases()) {
    if (!chosen.contains(each.file, each.name))
      continue;
    try {
      do {
        choices_of_case.begin();
        each.body();
      } while (choices_of_case.advance());
    } catch (std::exception const& problem) {
      fail_case(each.name.data(), 0, problem.what());
    }
    mpi::barrier(all);
    if (all.rank() == 0)
      std::cout << "passed: " << each.name << std::endl;
  }
}

void run_on_endpoints(chosen_cases const& chosen) {
  std::vector<std::string_view> files;
  for (endpoint_case const& each : all_endpoint_cases())
    files.push_back(each.file);
  if (std::string const missing = chosen.without_case(files); !missing.empty()) {
    std::cerr << "no case is chosen by " << missing << std::endl;
    MPI_Abort(MPI_COMM_WORLD, 4);
  }
  auto own = create_endpoints(Communicator::dup(MPI_COMM_WORLD), count_here());
  meeting_point().emplace(std::ssize(own));
  std::vector<std::jthread> threads;
  for (Communicator const& each : own)
    threads.emplace_back([&each, &chosen, is_first = &each == own.data()] {
      run_cases(each, chosen, is_first);
    });
}

} // namespace
} // namespace seam::testing

int main(int argc, char** argv) {
  int provided = MPI_THREAD_SINGLE;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
#if defined(MPICH_NUMVERSION)
  // MPICH 4.0 hands errors of messages in flight to this communicator's handler, not to their own's.
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
#endif
  {
    Kokkos::ScopeGuard const kokkos;
    seam::testing::run_on_endpoints(
        seam::testing::chosen_cases({argv + 1, static_cast<std::size_t>(argc - 1)}));
  }
  MPI_Finalize();
  return EXIT_SUCCESS;
}
