/// Last words: how a job ends when something went wrong. One line on stderr, and all processes end.
#pragma once

#include <chrono>
#include <exception>
#include <string>
#include <string_view>

namespace seam::detail {

/// What an error says, and whether all ranks say it.
struct error_report {
  std::string line;
  bool on_all_ranks = false;
};

/// What to print for `problem`. Names the rank unless all ranks have the same error.
error_report report_of(std::exception_ptr const& problem);

/// Prints "program: line" on stderr, in one piece and as one line. Local, any thread.
void print_error_line(std::string_view line) noexcept;

/// Ends all processes of the job, whatever they are doing, with a non-zero exit code.
[[noreturn]] void end_job() noexcept;

/// This process in its error lines; its rank outlives MPI.
struct job_place {
  std::string program = "seam";
  int rank = 0, size = 1;
};
job_place const& place_in_job() noexcept;

/// Remembers the rank. Called once MPI runs.
void set_rank_in_job(int rank, int size) noexcept;

/// How long this rank gives way to lower ranks that may print the same line.
std::chrono::milliseconds turn_to_speak() noexcept;

/// While it lives, an exception that nobody catches becomes one line and ends the job; if all ranks
/// throw the same one, it is printed once. So it is afterwards, too, where MPI has ended with it.
class last_words {
public:
  /// @param program  the path that the program was started with, may be null
  explicit last_words(char const* program);
  last_words(last_words const&) = delete;
  last_words& operator=(last_words const&) = delete;
  ~last_words();

private:
  std::terminate_handler previous_;
};

} // namespace seam::detail
