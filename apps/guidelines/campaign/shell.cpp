#include "campaign/shell.hpp"

#include <seam/exchange.hpp>

#include <fmt/format.h>

#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <thread>

namespace guidelines {
namespace {

using clock = std::chrono::steady_clock;
constexpr std::chrono::milliseconds between_looks(20);
constexpr std::chrono::seconds grace(10);

pid_t start(std::string const& command) {
  std::string const line = "exec " + command;
  pid_t const child = fork();
  if (child < 0)
    throw seam::usage_error(fmt::format("fork: {}", std::strerror(errno)));
  if (child == 0) {
    execl("/bin/sh", "sh", "-c", line.c_str(), static_cast<char*>(nullptr));
    _exit(127);
  }
  return child;
}

/// The exit code once the child has ended; nothing if that is not before `end`.
std::optional<int> code_until(pid_t child, clock::time_point end) {
  for (int state = 0;; std::this_thread::sleep_for(between_looks)) {
    if (waitpid(child, &state, WNOHANG) == child)
      return WIFEXITED(state) ? WEXITSTATUS(state) : 128 + WTERMSIG(state);
    if (clock::now() >= end)
      return std::nullopt;
  }
}

} // namespace

std::optional<int> run_in_shell(std::string const& command, double seconds) {
  pid_t const child = start(command);
  auto const limit =
      std::chrono::duration_cast<clock::duration>(std::chrono::duration<double>(seconds));
  if (auto const code = code_until(child, clock::now() + limit))
    return code;
  kill(child, SIGTERM);
  if (!code_until(child, clock::now() + grace)) {
    kill(child, SIGKILL);
    int state = 0;
    waitpid(child, &state, 0);
  }
  return std::nullopt;
}

} // namespace guidelines
