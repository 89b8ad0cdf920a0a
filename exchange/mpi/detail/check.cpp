#include <seam/exchange/mpi/detail/check.hpp>

#include <seam/exchange/ground/error.hpp>

#include <fmt/format.h>

#include <sys/resource.h>

#include <limits>
#include <string_view>

namespace seam::mpi {
namespace {

std::string text_of(int code) {
  char text[MPI_MAX_ERROR_STRING];
  int length = 0;
  if (MPI_Error_string(code, text, &length) != MPI_SUCCESS)
    return "no description";
  return {text, static_cast<std::size_t>(length)};
}

/// MPI has no word of its own for a process that may take no more memory, and calls that an unknown
/// or other error. Returns words for that limit if there is one.
std::string limit_in_words(int error_class) {
  bool const is_vague = error_class == MPI_ERR_OTHER || error_class == MPI_ERR_INTERN ||
                        error_class == MPI_ERR_UNKNOWN || error_class == MPI_ERR_NO_MEM;
  rlimit memory{};
  if (!is_vague || ::getrlimit(RLIMIT_AS, &memory) != 0 || memory.rlim_cur == RLIM_INFINITY)
    return "";
  return fmt::format(
      "; the process may take {} bytes of memory (ulimit -v), which may be too little",
      memory.rlim_cur);
}

[[noreturn]] void fail(int code, char const* call, detail::source_place place) {
  int error_class = MPI_ERR_UNKNOWN;
  MPI_Error_class(code, &error_class);
  throw mpi_error(fmt::format("{} failed with class {}: {}{} [{}]", call, error_class,
                              text_of(code), limit_in_words(error_class), where(place)),
                  error_class);
}

} // namespace

void check(int code, char const* call, detail::source_place place) {
  if (code != MPI_SUCCESS) [[unlikely]]
    fail(code, call, place);
}

int narrow(std::int64_t value, char const* what, detail::source_place place) {
  constexpr std::int64_t most = std::numeric_limits<int>::max();
  if (value < 0 || value > most)
    refuse(MPI_ERR_COUNT,
           fmt::format("{}: {} does not fit MPI's counts (expected 0 to {})", what, value, most),
           place);
  return static_cast<int>(value);
}

bool is_running() noexcept {
  int begun = 0, ended = 0;
  MPI_Initialized(&begun);
  MPI_Finalized(&ended);
  return begun != 0 && ended == 0;
}

} // namespace seam::mpi
