#include <seam/framework/program/terminal.hpp>

#include <seam/framework/program/launch.hpp>

#include <fcntl.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <atomic>
#include <string>

namespace seam::detail {
namespace {

constexpr std::string_view erased_line = "\r\033[K";
std::atomic<bool> foot_is_drawn = false;
std::atomic<std::int64_t> lines_above = 0; ///< that were drawn, above the cursor

/// A file of its own that leads where the launcher's `stream` leads; -1 if there is none.
int opened_of_launcher(std::string const& launcher, int stream) {
  auto const path = "/proc/" + launcher + "/fd/" + std::to_string(stream);
  return ::open(path.c_str(), O_WRONLY | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
}

/// Calls look(file) for the file that `stream` leads to, behind a launcher.
template <class Look>
bool look_at(int stream, Look const& look) {
  auto const launcher = topmost_launcher();
  if (launcher.empty())
    return look(stream);
  int const file = opened_of_launcher(launcher, stream);
  if (file < 0)
    return false;
  bool const found = look(file);
  ::close(file);
  return found;
}

/// The terminal behind a launcher, whose pipe would let other lines come between the bytes of a
/// drawing; else stderr.
int file_to_draw_on() {
  auto const launcher = topmost_launcher();
  int const file = launcher.empty() ? -1 : opened_of_launcher(launcher, STDERR_FILENO);
  if (file < 0)
    return STDERR_FILENO;
  if (::isatty(file) != 1 || ::fcntl(file, F_SETFL, 0) != 0) { // from here on writes wait
    ::close(file);
    return STDERR_FILENO;
  }
  return file;
}

void write_to(int file, std::string_view text) noexcept {
  while (!text.empty()) {
    auto const written = ::write(file, text.data(), text.size());
    if (written <= 0)
      return;
    text.remove_prefix(written);
  }
}

/// Writes what is drawn in one piece, so that no line comes between its bytes.
void write_drawing(std::string_view text) {
  static int const file = file_to_draw_on();
  write_to(file, text);
}

} // namespace

bool reaches_terminal(int stream) {
  return look_at(stream, [](int file) { return ::isatty(file) == 1; });
}

terminal_size size_of_terminal(int stream) {
  terminal_size found;
  look_at(stream, [&](int file) {
    struct winsize size {};
    if (::ioctl(file, TIOCGWINSZ, &size) != 0 || size.ws_col == 0 || size.ws_row == 0)
      return false;
    found = {size.ws_col, size.ws_row};
    return true;
  });
  return found;
}

void write_to_stderr(std::string_view text) noexcept { write_to(STDERR_FILENO, text); }

void draw_foot(std::string_view text) {
  foot_is_drawn = true;
  write_drawing(std::string(erased_line).append(text));
}

void draw_lines(std::string_view lines, std::int64_t num_lines) {
  std::string text;
  if (foot_is_drawn.exchange(false))
    text += erased_line;
  if (std::int64_t const above = lines_above.exchange(num_lines); above > 0)
    text += "\033[" + std::to_string(above) + "A" + (above == num_lines ? "" : "\033[J");
  write_drawing(text.append(lines));
}

void erase_foot() noexcept {
  if (foot_is_drawn.exchange(false))
    write_drawing(erased_line);
}

std::string_view before_line_on_stdout() {
  lines_above = 0;
  return foot_is_drawn && reaches_terminal(STDOUT_FILENO) ? erased_line : "";
}

} // namespace seam::detail
