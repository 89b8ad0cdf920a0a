#include <seam/framework/program/last_words.hpp>

#include <seam/exchange/agreement/agreement.hpp>
#include <seam/exchange/ground/error.hpp>
#include <seam/exchange/mpi/detail/check.hpp>
#include <seam/exchange/waiting/detail/call_scope.hpp>
#include <seam/framework/program/error_page.hpp>
#include <seam/framework/program/terminal.hpp>

#include <fmt/format.h>

#include <csignal>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <new>
#include <thread>

namespace seam::detail {
namespace {

using namespace std::chrono_literals;

job_place& place_of_process() noexcept {
  static job_place here;
  return here;
}

/// The place of the endpoint that the thread is; nullptr: none.
thread_local job_place const* place_of_thread = nullptr;

job_place const& place() noexcept {
  return place_of_thread != nullptr ? *place_of_thread : place_of_process();
}

/// Returns the first line of an error's text, its message; libraries append call stacks.
std::string first_line(std::string const& text) { return text.substr(0, text.find('\n')); }

/// Lets the default action of SIGALRM end the process after `seconds`, even if a library that
/// failed holds a lock that an orderly end needs.
void set_deadline(unsigned seconds) noexcept {
  std::signal(SIGALRM, SIG_DFL);
  ::alarm(seconds);
}

/// Sleeps until lower ranks with the same error have printed it: they end this process first.
void give_way(bool on_all_ranks) {
  if (place().rank > 0)
    std::this_thread::sleep_for((on_all_ranks ? 2s : 0s) + turn_to_speak());
}

[[noreturn]] void end_with_last_words() noexcept {
  static std::atomic_flag has_begun;
  if (has_begun.test_and_set())
    while (true)
      std::this_thread::sleep_for(1h);
  set_deadline(15);
  job_error const last = report_of(std::current_exception());
  give_way(last.on_all_ranks);
  print_last_error(last.line);
  end_job();
}

} // namespace

job_error report_of(std::exception_ptr const& problem) {
  if (problem == nullptr)
    return {"ended by std::terminate", false};
  job_error report;
  try {
    std::rethrow_exception(problem);
  } catch (usage_error const& mistake) {
    report = {first_line(mistake.what()), mistake.on_all_ranks()};
  } catch (std::bad_alloc const&) {
    report.line = "out of memory";
  } catch (...) {
    report.line = first_line(line_of_current_exception());
  }
  if (!report.on_all_ranks && place().size > 1)
    report.line += fmt::format("; on rank {} of {}", place().rank, place().size);
  return report;
}

void print_error_line(std::string_view line) noexcept {
  erase_foot();
  std::string whole = place().program;
  whole.append(": ").append(line).append("\n");
  write_to_stderr(whole);
}

void print_last_error(std::string_view line) noexcept {
  std::string whole(line);
  if (auto const page = page_of(line); !page.empty())
    whole.append("\nsee: ").append(page);
  print_error_line(whole);
}

void end_job() noexcept {
  set_deadline(10);
  std::fflush(stdout);
  std::this_thread::sleep_for(100ms); // mpiexec may read of the end before it reads the last line
  if (mpi::is_running())
    MPI_Abort(MPI_COMM_WORLD, EXIT_FAILURE);
  std::_Exit(EXIT_FAILURE);
}

job_place const& place_in_job() noexcept { return place(); }

void set_rank_in_job(int rank, int size) noexcept {
  place_of_process().rank = rank;
  place_of_process().size = size;
}

void set_place_of_thread(job_place const* place) noexcept { place_of_thread = place; }

std::chrono::milliseconds turn_to_speak() noexcept { return std::min(place().rank, 6) * 400ms; }

last_words::last_words(char const* program) : previous_(std::set_terminate(end_with_last_words)) {
  if (program != nullptr)
    place_of_process().program = std::filesystem::path(program).filename().string();
}

last_words::~last_words() {
  if (!seam_has_ended())
    std::set_terminate(previous_);
}

} // namespace seam::detail
