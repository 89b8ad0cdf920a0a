#include "campaign/launch.hpp"

#include "campaign/shell.hpp"

#include <seam/program.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>

namespace guidelines {
namespace {

constexpr double seconds_of_minute = 60;

void say(std::string const& line) { fmt::print(stderr, "{}\n", line); }

std::vector<kernel_run> open_runs(campaign_folder const& made) {
  auto runs = made.runs();
  std::erase_if(runs, is_done);
  return runs;
}

std::string name_of(kernel_run const& run) {
  return fmt::format("deployment {}, run {}", run.on.name(), run.number);
}

void make_run(campaign_folder const& made, kernel_run const& run, path const& program) {
  auto const code = run_in_shell(command_of(made, run, program) + " >/dev/null",
                                 made.asked.minutes * seconds_of_minute);
  if (!code)
    say(fmt::format("{} was ended after {} minutes; it goes on when the campaign is resumed",
                    name_of(run), made.asked.minutes));
  else if (*code != 0)
    say(fmt::format("{} ended with exit code {}", name_of(run), *code));
}

void submit(campaign_folder const& made) {
  for (deployment const& on : made.asked.deployments) {
    path const script = made.place / "jobs" / (on.name() + ".sh");
    say(fmt::format("{} {}", made.here.submit, script.string()));
    auto const all_runs = made.asked.runs * made.asked.minutes * seconds_of_minute;
    constexpr double longest_in_queue = 30 * 24 * 3600.0;
    run_in_shell(fmt::format("{} '{}'", made.here.submit, script.string()),
                 all_runs + longest_in_queue);
  }
}

} // namespace

int make_runs(campaign_folder const& made, path const& program) {
  auto const open = open_runs(made);
  if (open.empty())
    return 0;
  if (!made.here.submit.empty())
    submit(made);
  else {
    auto const begin = std::chrono::steady_clock::now();
    std::int64_t done = 0;
    for (kernel_run const& run : open) {
      make_run(made, run, program);
      std::chrono::duration<double> const passed = std::chrono::steady_clock::now() - begin;
      say(fmt::format("{}: {}", made.asked.name,
                      seam::detail::progress_in_words("runs", ++done, std::ssize(open),
                                                      passed.count())));
    }
  }
  return static_cast<int>(std::ssize(open_runs(made)));
}

} // namespace guidelines
