#include <seam/framework/c/errors.hpp>

#include <seam/exchange/ground/error.hpp>
#include <seam/framework/c/error_string.h>

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <deque>
#include <mutex>

namespace seam::detail {
namespace {

/// The error class of refusals for which MPI has no class.
int class_of_others() {
  static int const made = [] {
    int error_class = MPI_ERR_OTHER;
    MPI_Add_error_class(&error_class);
    MPI_Add_error_string(error_class, "seam refused a call");
    return error_class;
  }();
  return made;
}

int new_code(int error_class) {
  int code = MPI_ERR_OTHER;
  MPI_Add_error_code(error_class, &code);
  return code;
}

/// The error codes that MPI has given out, with their lines. MPI takes none of them back.
class known_codes {
public:
  int of(int error_class, std::string_view line) {
    auto const has_line = [&](entry const& known) {
      return known.error_class == error_class && known.line == line;
    };
    auto const found = std::ranges::find_if(entries_, has_line);
    return found != entries_.end() ? found->code : add(error_class, line);
  }

  /// The line of a code, which is the newest one that it has had; nullptr if the code is not seam's.
  std::string const* line_of(int code) const {
    auto const found = std::ranges::find(entries_.rbegin(), entries_.rend(), code, &entry::code);
    return found == entries_.rend() ? nullptr : &found->line;
  }

private:
  struct entry {
    int error_class, code;
    std::string line;
  };

  /// Gives `line` a new code, or the oldest one of its class. The class of a code cannot change,
  /// and so the first code of a class is always new.
  int add(int error_class, std::string_view line) {
    auto const oldest = std::ranges::find(entries_, error_class, &entry::error_class);
    bool const has_room = std::ssize(entries_) < most_error_codes || oldest == entries_.end();
    int const code = has_room ? new_code(error_class) : oldest->code;
    if (!has_room)
      entries_.erase(oldest);
    entries_.push_back({error_class, code, std::string(line)});
    MPI_Add_error_string(code, entries_.back().line.c_str());
    return code;
  }

  std::deque<entry> entries_; ///< from the oldest to the newest
};

/// The codes of the process, for one thread at a time.
struct shared_codes {
  std::mutex asking;
  known_codes known;

  static shared_codes& of_process() {
    static shared_codes only;
    return only;
  }
};

} // namespace

int error_code_for(error_report const& report) {
  int const error_class = report.error_class != 0 ? report.error_class : class_of_others();
  auto const line = std::string_view(report.line).substr(0, std::size_t{MPI_MAX_ERROR_STRING} - 1);
  auto& codes = shared_codes::of_process();
  std::scoped_lock const lock(codes.asking);
  return codes.known.of(error_class, line);
}

int code_of_current_exception() { return error_code_for(report_of_current_exception()); }

void require_address(char const* call, void const* address, char const* of_what) {
  if (address == nullptr)
    refuse(MPI_ERR_ARG,
           fmt::format("{}: a null pointer (expected the address of {})", call, of_what));
}

void call_error_handler(MPI_Comm comm, int code) {
  MPI_Comm_call_errhandler(comm == MPI_COMM_NULL ? MPI_COMM_WORLD : comm, code);
}

mpi::context* context_for(char const* call, MPI_Comm comm) {
  if (comm == MPI_COMM_NULL)
    refuse(MPI_ERR_COMM, fmt::format("{}: MPI_COMM_NULL (expected a communicator)", call));
  mpi::context* const ranks = mpi::context_of(comm);
  if (ranks != nullptr)
    ranks->check_thread(call);
  return ranks;
}

} // namespace seam::detail

int Seam_Error_string(int code, char* string, int* length) {
  auto& codes = seam::detail::shared_codes::of_process();
  std::scoped_lock const lock(codes.asking);
  auto const* const line = codes.known.line_of(code);
  if (line == nullptr)
    return MPI_Error_string(code, string, length);
  *length = static_cast<int>(line->copy(string, line->size()));
  string[*length] = '\0';
  return MPI_SUCCESS;
}
