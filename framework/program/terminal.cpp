#include <seam/framework/program/terminal.hpp>

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <filesystem>
#include <system_error>

namespace seam::detail {
namespace {

constexpr std::string_view erased_line = "\r\033[K";
std::atomic<bool> foot_is_drawn = false;

/// True if process `parent` is a launcher that forwards the output of its processes. Its pipes and
/// pseudo-terminals hide from the process where the output ends.
bool is_launcher(std::string const& parent) {
  constexpr std::array<std::string_view, 9> launchers = {
      "orterun", "orted",   "prterun",       "prted",          "prte",
      "mpirun",  "mpiexec", "mpiexec.hydra", "hydra_pmi_proxy"};
  std::error_code unknown;
  auto const program = std::filesystem::read_symlink("/proc/" + parent + "/exe", unknown);
  return std::ranges::find(launchers, program.filename().string()) != launchers.end();
}

bool is_terminal(std::string const& path) {
  int const file = ::open(path.c_str(), O_WRONLY | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
  if (file < 0)
    return false;
  bool const found = ::isatty(file) == 1;
  ::close(file);
  return found;
}

} // namespace

bool reaches_terminal(int stream) {
  auto const parent = std::to_string(::getppid());
  if (is_launcher(parent))
    return is_terminal("/proc/" + parent + "/fd/" + std::to_string(stream));
  return ::isatty(stream) == 1;
}

void write_to_stderr(std::string_view text) noexcept {
  while (!text.empty()) {
    auto const written = ::write(STDERR_FILENO, text.data(), text.size());
    if (written <= 0)
      return;
    text.remove_prefix(written);
  }
}

void draw_foot(std::string_view text) {
  foot_is_drawn = true;
  write_to_stderr(std::string(erased_line).append(text));
}

void erase_foot() noexcept {
  if (foot_is_drawn.exchange(false))
    write_to_stderr(erased_line);
}

std::string_view before_line_on_stdout() {
  return foot_is_drawn && reaches_terminal(STDOUT_FILENO) ? erased_line : "";
}

} // namespace seam::detail
