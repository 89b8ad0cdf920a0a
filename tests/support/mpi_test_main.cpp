// The one main of every test program. All ranks run every case in the same order with the same
// random seed, and all leave with the same exit code. A failure that would leave other ranks
// waiting (an exception, a failed REQUIRE) stops the whole run at once instead of hanging it. Rank
// 0 reports as Catch2 does; the reports of the others come after it, and only if they failed.
// SEAM_TEST_REPEATS=1000 runs all cases so often, one time after the other.
#define CATCH_CONFIG_RUNNER
#include <support/catch.hpp>

#include <Kokkos_Core.hpp>
#include <mpi.h>

#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <sstream>
#include <string>

// The leak check of AddressSanitizer, in a build that has it.
extern "C" {
int __lsan_do_recoverable_leak_check() __attribute__((weak));
void __lsan_disable() __attribute__((weak));
void __lsan_enable() __attribute__((weak));
}

namespace {

struct world {
  int rank = 0;
  int size = 1;
  world() {
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
  }
};

// Not a failure of this rank: another rank has ended the run.
bool was_told_to_stop(Catch::AssertionResult const& result) {
  return result.getResultType() == Catch::ResultWas::FatalErrorCondition &&
         std::string(result.getMessage()).find("SIGTERM") != std::string::npos;
}

bool would_leave_others_waiting(Catch::AssertionResult const& result) {
  bool const goes_on =
      (result.m_info.resultDisposition & Catch::ResultDisposition::ContinueOnFailure) != 0;
  return !result.isOk() && !goes_on && !was_told_to_stop(result) && world().size > 1;
}

[[noreturn]] void stop_all(Catch::AssertionResult const& result) {
  world const all;
  std::ostringstream line;
  line << "[rank " << all.rank << " of " << all.size << "] " << result.getSourceInfo() << ": ";
  if (result.hasExpression())
    line << result.getExpressionInMacro() << " -> " << result.getExpandedExpression() << ' ';
  line << result.getMessage() << '\n';
  std::cerr << line.str() << std::flush;
  MPI_Abort(MPI_COMM_WORLD, 3);
  std::abort();
}

#if defined(CATCH_VERSION_MAJOR) && CATCH_VERSION_MAJOR >= 3
struct stop_instead_of_hanging : Catch::EventListenerBase {
  using EventListenerBase::EventListenerBase;
  void assertionEnded(Catch::AssertionStats const& stats) override {
    if (would_leave_others_waiting(stats.assertionResult))
      stop_all(stats.assertionResult);
  }
};
#else
struct stop_instead_of_hanging : Catch::TestEventListenerBase {
  using TestEventListenerBase::TestEventListenerBase;
  bool assertionEnded(Catch::AssertionStats const& stats) override {
    if (would_leave_others_waiting(stats.assertionResult))
      stop_all(stats.assertionResult);
    return true;
  }
};
#endif

CATCH_REGISTER_LISTENER(stop_instead_of_hanging)

void without_colors(Catch::ConfigData& config) {
#if defined(CATCH_VERSION_MAJOR) && CATCH_VERSION_MAJOR >= 3
  config.defaultColourMode = Catch::ColourMode::None;
#else
  config.useColour = Catch::UseColour::No;
#endif
}

// Holds the stdout of this rank back while it lives, on all ranks but rank 0.
class quiet_other_ranks {
public:
  explicit quiet_other_ranks(world const& all)
      : original_(std::cout.rdbuf(all.rank == 0 ? std::cout.rdbuf() : text_.rdbuf())) {}
  ~quiet_other_ranks() { std::cout.rdbuf(original_); }
  quiet_other_ranks(quiet_other_ranks const&) = delete;
  quiet_other_ranks& operator=(quiet_other_ranks const&) = delete;

  std::string text() const { return text_.str(); }

private:
  std::ostringstream text_;
  std::streambuf* original_;
};

// How often all cases are run: once, or as often as SEAM_TEST_REPEATS says.
int num_repeats() {
  char const* const text = std::getenv("SEAM_TEST_REPEATS"); // NOLINT(concurrency-mt-unsafe)
  return text == nullptr ? 1 : std::atoi(text);              // NOLINT(cert-err34-c)
}

int run_tests(Catch::Session& session, world const& all) {
  quiet_other_ranks const kept(all);
  int own = 0;
  for (int left = num_repeats(); left > 0; --left)
    own = std::max(own, session.run());
  for (int rank = 1; rank < all.size; ++rank) {
    MPI_Barrier(MPI_COMM_WORLD);
    if (all.rank == rank && own != 0)
      std::cerr << "---- rank " << rank << " of " << all.size << '\n' << kept.text() << std::flush;
  }
  return own;
}

// True if this rank's cases have leaked memory. At the program's end the check would be too late:
// MPI_Finalize unloads the libraries whose own leaks are known by name (lsan.supp).
bool leaks() {
  return __lsan_do_recoverable_leak_check != nullptr && __lsan_do_recoverable_leak_check() != 0;
}

int run_on_all_ranks(int argc, char** argv) {
  world const all;
  Catch::Session session;
  without_colors(session.configData());
  int own = session.applyCommandLine(argc, argv);
  auto& seed = session.configData().rngSeed;
  MPI_Bcast(&seed, sizeof(seed), MPI_BYTE, 0, MPI_COMM_WORLD);
  if (own == 0)
    own = run_tests(session, all);
  if (own == 0 && leaks())
    own = 5;
  int worst = 0;
  MPI_Allreduce(&own, &worst, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  return worst;
}

// Leaks of MPI_Init are ignored; some of them come from libraries that it unloads again.
void start_mpi(int& argc, char**& argv) {
  int provided = MPI_THREAD_SINGLE;
  if (__lsan_disable != nullptr)
    __lsan_disable();
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  if (__lsan_enable != nullptr)
    __lsan_enable();
#if defined(MPICH_NUMVERSION)
  // MPICH 4.0 hands errors of messages in flight to this communicator's handler, not to their own's.
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
#endif
  if (provided < MPI_THREAD_MULTIPLE) {
    std::cerr << "the tests need MPI_THREAD_MULTIPLE (" << MPI_THREAD_MULTIPLE
              << "), this MPI library gives " << provided << std::endl;
    MPI_Abort(MPI_COMM_WORLD, 4);
  }
}

} // namespace

int main(int argc, char** argv) {
  start_mpi(argc, argv);
  Kokkos::initialize(argc, argv);
  int const worst = run_on_all_ranks(argc, argv);
  Kokkos::finalize();
  MPI_Finalize();
  return worst;
}
