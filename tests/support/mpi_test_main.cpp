// The one main of every test program. All ranks run every case in the same order with the same
// random seed, and all leave with the same exit code. A failure that would leave other ranks
// waiting (an exception, a failed REQUIRE) stops the whole run at once instead of hanging it. Rank
// 0 reports as Catch2 does; the reports of the others come after it, and only if they failed.
// SEAM_TEST_REPEATS=1000 runs all cases so often, one after the other. Arguments choose among the
// cases (chosen_cases.hpp), or are Catch2's.
#define CATCH_CONFIG_RUNNER
#include <support/catch.hpp>
#include <support/chosen_cases.hpp>

#include <Kokkos_Core.hpp>
#include <mpi.h>

#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

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

// Cases that have begun, those that are skipped included.
std::size_t num_cases_run = 0;

#if defined(CATCH_VERSION_MAJOR) && CATCH_VERSION_MAJOR >= 3
struct stop_instead_of_hanging : Catch::EventListenerBase {
  using EventListenerBase::EventListenerBase;
  void testCaseStarting(Catch::TestCaseInfo const&) override { ++num_cases_run; }
  void assertionEnded(Catch::AssertionStats const& stats) override {
    if (would_leave_others_waiting(stats.assertionResult))
      stop_all(stats.assertionResult);
  }
};
#else
struct stop_instead_of_hanging : Catch::TestEventListenerBase {
  using TestEventListenerBase::TestEventListenerBase;
  void testCaseStarting(Catch::TestCaseInfo const&) override { ++num_cases_run; }
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

int run_tests(Catch::Session& session, world const& all, std::size_t num_chosen) {
  quiet_other_ranks const kept(all);
  int own = 0;
  for (int left = num_repeats(); left > 0; --left) {
    num_cases_run = 0;
    own = std::max(own, session.run());
    if (num_cases_run < num_chosen) {
      std::cerr << "of " << num_chosen << " cases " << num_cases_run << " were run" << std::endl;
      own = std::max(own, 6);
    }
  }
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

#if defined(CATCH_VERSION_MAJOR) && CATCH_VERSION_MAJOR >= 3
Catch::TestCaseInfo const& info_of(Catch::TestCaseHandle const& test) {
  return test.getTestCaseInfo();
}
#else
Catch::TestCaseInfo const& info_of(Catch::TestCase const& test) { return test; }
#endif

// The name as one of several patterns of Catch2, which it alone matches.
std::string pattern_of(std::string const& name) {
  std::string pattern = "\"";
  for (char const letter : name) {
    if (std::string_view("\\\",[]").find(letter) != std::string_view::npos)
      pattern += '\\';
    pattern += letter;
  }
  return pattern + "\",";
}

// Has the session run the chosen cases alone, and says how many that are, if not all.
std::size_t choose(Catch::Session& session, seam::testing::chosen_cases const& chosen) {
  if (chosen.all())
    return 0;
  auto config = session.configData();
  std::vector<std::string_view> files;
  for (auto const& test : Catch::getAllTestCasesSorted(session.config())) {
    files.emplace_back(info_of(test).lineInfo.file);
    if (chosen.contains(info_of(test).lineInfo.file, info_of(test).name))
      config.testsOrTags.push_back(pattern_of(info_of(test).name));
  }
  std::string const missing = chosen.without_case(files);
  if (!missing.empty() || config.testsOrTags.empty()) {
    std::cerr << "no case is chosen by " << missing << std::endl;
    MPI_Abort(MPI_COMM_WORLD, 4);
  }
  session.useConfigData(config);
  return config.testsOrTags.size();
}

int run_on_all_ranks(int argc, char** argv) {
  world const all;
  seam::testing::chosen_cases chosen({argv + 1, static_cast<std::size_t>(argc - 1)});
  std::vector<char*>& others = chosen.others();
  others.insert(others.begin(), argv[0]);
  Catch::Session session;
  without_colors(session.configData());
  int own = session.applyCommandLine(static_cast<int>(others.size()), others.data());
  std::size_t num_chosen = choose(session, chosen);
  if (others.size() > 1) // Catch2 may leave some out, or list them
    num_chosen = 0;
  auto& seed = session.configData().rngSeed;
  MPI_Bcast(&seed, sizeof(seed), MPI_BYTE, 0, MPI_COMM_WORLD);
  if (own == 0)
    own = run_tests(session, all, num_chosen);
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
