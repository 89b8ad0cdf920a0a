#include "campaign/drawing.hpp"

#include "campaign/shell.hpp"
#include "campaign/shipped_files.hpp"

#include <seam/exchange.hpp>

#include <fmt/format.h>

namespace guidelines {
namespace {

constexpr double longest = 3600; ///< [s]

/// Exit codes by which the shell and the script say what is missing.
constexpr int no_python = 127, no_matplotlib = 3;

std::string interpreter(drawing_options const& how) {
  if (!how.python.empty())
    return how.python;
  return std::filesystem::exists("/usr/bin/python3") ? "/usr/bin/python3" : "python3";
}

} // namespace

void draw(path const& folder, drawing_options const& how) {
  std::string const python = interpreter(how);
  auto const code = run_in_shell(fmt::format("'{}' '{}' '{}' {}", python,
                                             (shipped_files() / "plot" / "plot.py").string(),
                                             folder.string(), how.format),
                                 longest);
  if (code == no_python)
    throw seam::usage_error(
        fmt::format("plot: '{}': no such program (expected Python 3; on Debian: apt-get install "
                    "python3-matplotlib)",
                    python));
  if (code == no_matplotlib)
    throw seam::usage_error(
        fmt::format("plot: {} has no Matplotlib (expected it for drawing; on Debian: apt-get "
                    "install python3-matplotlib)",
                    python));
  if (code != 0)
    throw seam::usage_error(fmt::format("plot: the script ended with exit code {} (expected 0)",
                                        code ? *code : -1));
}

} // namespace guidelines
