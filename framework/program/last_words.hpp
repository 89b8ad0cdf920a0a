/// Last words: an uncaught error prints one line on stderr and ends all processes of the job.
#pragma once

#include <chrono>
#include <exception>
#include <stdexcept>
#include <string>
#include <string_view>

namespace seam::detail {

/// The line of an error, and whether all ranks have the same error.
struct job_error {
  std::string line;
  bool on_all_ranks = false;
};

/// Returns the line to print for `problem`, which names the rank unless all ranks have the same
/// error.
job_error report_of(std::exception_ptr const& problem);

/// Prints "program: line" on stderr, in one piece and as one line.
/// Local.
/// Threads: any.
void print_error_line(std::string_view line) noexcept;

/// Prints the line of an error that ends the program as above, and in a second one the page that says
/// more about it, if there is one: "see: docs/steps.md".
void print_last_error(std::string_view line) noexcept;

/// Ends all processes of the job by MPI_Abort, with a non-zero exit code.
[[noreturn]] void end_job() noexcept;

/// Program and rank that error lines name; kept after MPI has ended.
struct job_place {
  std::string program = "seam";
  int rank = 0, size = 1;
};
job_place const& place_in_job() noexcept;

/// Stores this process's rank for error lines. Called once MPI runs.
void set_rank_in_job(int rank, int size) noexcept;

/// Makes error lines of the calling thread name `place`, an endpoint's, which outlives the thread's
/// calls; nullptr: that of the process.
void set_place_of_thread(job_place const* place) noexcept;

/// The time that this rank waits for lower ranks that may print the same line, and end the job then: Open
/// MPI 6 needs 0.2 s to end the other processes.
std::chrono::milliseconds turn_to_speak() noexcept;

/// While it lives, an uncaught exception is printed as one line and ends the job; if all ranks
/// throw the same exception, one rank prints it. Remains in force after its end if MPI has ended.
class last_words {
public:
  /// @param program  path that the program was started with, may be null
  explicit last_words(char const* program);
  last_words(last_words const&) = delete;
  last_words& operator=(last_words const&) = delete;
  ~last_words();

private:
  std::terminate_handler previous_;
};

/// Leaves the body of a program, on all ranks together. run_program() prints its line on stderr, and
/// returns 0.
class ended_early : public std::runtime_error {
public:
  using std::runtime_error::runtime_error;
};

} // namespace seam::detail
