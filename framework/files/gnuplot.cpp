#include <seam/framework/files/gnuplot.hpp>

#include <seam/exchange/ground/error.hpp>

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>

extern char** environ; // NOLINT(readability-redundant-declaration)

namespace seam::detail {
namespace {

/// Its exit status where it could not be run, as shells say it.
constexpr int could_not_run = 127;

/// Runs gnuplot on what it reads from `input`; its messages are lost. Returns its exit status.
int run(char const* option, int input) {
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_adddup2(&files, input, STDIN_FILENO);
  for (int const output : {STDOUT_FILENO, STDERR_FILENO})
    posix_spawn_file_actions_addopen(&files, output, "/dev/null", O_WRONLY, 0);
  std::array<char*, 3> const arguments{const_cast<char*>("gnuplot"), const_cast<char*>(option),
                                       nullptr};
  pid_t child = 0;
  int const problem =
      posix_spawnp(&child, arguments[0], &files, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&files);
  if (problem != 0)
    return could_not_run;
  int status = 0;
  while (waitpid(child, &status, 0) < 0)
    if (errno != EINTR)
      return could_not_run;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/// A file without a name, in memory.
class memory_file {
public:
  memory_file() : file_(memfd_create("gnuplot", MFD_CLOEXEC)) {
    if (file_ < 0)
      refuse("plot: no file in memory for gnuplot's script");
  }
  memory_file(memory_file const&) = delete;
  memory_file& operator=(memory_file const&) = delete;
  ~memory_file() { close(file_); }

  /// Writes `text`, which is read from its begin.
  void write(std::string const& text) const {
    std::size_t done = 0;
    while (done < text.size()) {
      ssize_t const more = ::write(file_, text.data() + done, text.size() - done);
      if (more < 0)
        refuse("plot: no memory for gnuplot's script");
      done += static_cast<std::size_t>(more);
    }
    lseek(file_, 0, SEEK_SET);
  }

  int number() const noexcept { return file_; }

private:
  int file_;
};

} // namespace

bool has_gnuplot() {
  memory_file const nothing;
  return run("--default-settings", nothing.number()) == 0;
}

void run_gnuplot(std::string const& script) {
  memory_file const input;
  input.write(script);
  if (int const status = run("--default-settings", input.number()); status != 0)
    refuse(fmt::format("plot: gnuplot ended with {} (expected 0)", status));
}

} // namespace seam::detail
