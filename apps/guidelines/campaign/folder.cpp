#include "campaign/folder.hpp"

#include "campaign/launcher.hpp"
#include "experiments/input_file.hpp"
#include "experiments/permute.hpp"

#include <seam/exchange.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <random>
#include <set>
#include <sstream>

namespace guidelines {
namespace {

std::string reason() { return std::strerror(errno != 0 ? errno : EIO); }

/// The experiments in an order of their own for each run.
std::vector<levels> permuted(std::vector<levels> list, campaign const& asked, deployment const& on,
                             int run) {
  std::seed_seq seeds{static_cast<std::uint32_t>(asked.seed), static_cast<std::uint32_t>(on.nodes),
                      static_cast<std::uint32_t>(on.per_node), static_cast<std::uint32_t>(run)};
  permute(list, std::mt19937_64(seeds));
  return list;
}

void check_dimensions(campaign const& asked, std::string const& name) {
  for (deployment const& on : asked.deployments)
    for (levels const& experiment : asked.experiments)
      if (auto const problem = problem_with(experiment, on.num_processes()))
        throw seam::usage_error(fmt::format("{}: deployment {}: {} '{}' (expected {})", name,
                                            on.name(), column_names[problem->where],
                                            experiment[problem->where], problem->expected));
}

/// A text in quotes for the shell.
std::string quoted(std::string const& text) {
  std::string inside;
  for (char const letter : text)
    inside += letter == '\'' ? std::string("'\\''") : std::string(1, letter);
  return "'" + inside + "'";
}

std::string joined_settings(campaign_folder const& made) {
  std::string text;
  for (auto const* settings : {&made.here.settings, &made.asked.settings})
    for (std::string const& setting : *settings)
      text += ' ' + quoted(setting);
  return text.empty() ? text : "env" + text + ' ';
}

std::string kernel_of(campaign_folder const& made, kernel_run const& run, path const& program) {
  return fmt::format("{} run {} --output {} --resume --head campaign={} --head deployment={} "
                     "--head run={}",
                     quoted(program.string()), quoted(run.input.string()),
                     quoted(run.output.string()), made.asked.name, run.on.name(), run.number);
}

/// A job script: the lines for Slurm, and the runs that are not done yet.
std::string job_script(campaign_folder const& made, deployment const& on, path const& program) {
  std::string text = fmt::format(
      "#!/bin/sh\n#SBATCH --job-name={}-{}\n#SBATCH --nodes={}\n#SBATCH --ntasks-per-node={}\n"
      "#SBATCH --time={}\n",
      made.asked.name, on.name(), on.nodes, on.per_node, made.asked.minutes * made.asked.runs);
  for (std::string const& option : made.here.slurm)
    text += "#SBATCH " + option + '\n';
  for (kernel_run const& run : made.runs())
    if (run.on.name() == on.name())
      text += fmt::format("grep -qs '^# end: ' {} || timeout {}m {}\n", quoted(run.output.string()),
                          made.asked.minutes, command_of(made, run, program));
  return text;
}

void generate(campaign_folder const& made, path const& program) {
  for (kernel_run const& run : made.runs()) {
    write_file(run.input,
               input_text(fmt::format("experiments of campaign {}, deployment {}, run {} of {}",
                                      made.asked.name, run.on.name(), run.number, made.asked.runs),
                          permuted(made.asked.experiments, made.asked, run.on, run.number)));
    std::filesystem::create_directories(run.output.parent_path());
  }
  for (deployment const& on : made.asked.deployments)
    write_file(made.place / "jobs" / (on.name() + ".sh"), job_script(made, on, program));
}

/// Finds an experiment that one run has and the other has not.
result const* first_missing(results const& from, results const& in) {
  std::set<levels> known;
  for (result const& other : in.experiments)
    known.insert(other.experiment);
  for (result const& own : from.experiments)
    if (!known.contains(own.experiment))
      return &own;
  return nullptr;
}

void require_same_experiments(results const& first, results const& other) {
  if (auto const* const extra = first_missing(other, first))
    refuse_at({other.file, extra->line, 1},
              fmt::format("{} is not among the experiments of {} (expected the same in all runs)",
                          line_of(extra->experiment), first.file));
  if (auto const* const lacking = first_missing(first, other))
    refuse_at({other.file, other.table.num_lines, 1},
              fmt::format("there is no {}, which {} has (expected the same in all runs)",
                          line_of(lacking->experiment), first.file));
}

void require_same_machine(results const& first, results const& other) {
  for (std::string_view key : machine_entries)
    if (first.head(key).text != other.head(key).text)
      refuse_at(other.head(key).place,
                fmt::format("{} '{}' (expected '{}', as in {}: results of two machines or builds "
                            "cannot be compared)",
                            key, other.head(key).text, first.head(key).text, first.file));
}

} // namespace

std::string read_file(path const& file) {
  if (std::filesystem::is_directory(file))
    throw seam::usage_error(fmt::format("'{}': this is a directory", file.string()));
  errno = 0;
  std::ifstream stream(file, std::ios::binary);
  if (!stream)
    throw seam::usage_error(fmt::format("'{}': {}", file.string(), reason()));
  std::ostringstream text;
  text << stream.rdbuf();
  return text.str();
}

void write_file(path const& file, std::string_view text) {
  if (!file.parent_path().empty())
    std::filesystem::create_directories(file.parent_path());
  path const beside = file.string() + ".part";
  errno = 0;
  std::ofstream stream(beside, std::ios::binary);
  stream.write(text.data(), static_cast<std::streamsize>(text.size()));
  stream.close();
  if (!stream)
    throw seam::usage_error(fmt::format("'{}': {}", file.string(), reason()));
  std::filesystem::rename(beside, file);
}

std::vector<kernel_run> campaign_folder::runs() const {
  std::vector<kernel_run> all;
  for (int number = 1; number <= asked.runs; ++number)
    for (deployment const& on : asked.deployments) {
      std::string const file = fmt::format("run-{:02}.csv", number);
      all.push_back({on, number, place / "inputs" / on.name() / file,
                     place / "results" / on.name() / file});
    }
  return all;
}

campaign_folder open_folder(path const& place) {
  path const asked = place / "campaign.txt", here = place / "environment.txt";
  if (!std::filesystem::exists(asked))
    throw seam::usage_error(
        fmt::format("'{}': no folder of a campaign (expected campaign.txt in it)", place.string()));
  return {std::filesystem::absolute(place), parse_campaign(read_file(asked), asked.string()),
          parse_environment(read_file(here), here.string())};
}

campaign_folder open_or_generate(path const& place, std::string const& campaign_text,
                                 std::string const& campaign_name,
                                 std::string const& environment_text,
                                 std::string const& environment_name, path const& program) {
  campaign_folder made{std::filesystem::absolute(place),
                       parse_campaign(campaign_text, campaign_name),
                       parse_environment(environment_text, environment_name)};
  check_dimensions(made.asked, campaign_name);
  path const asked = place / "campaign.txt", here = place / "environment.txt";
  if (std::filesystem::exists(asked)) {
    if (read_file(asked) != campaign_text || read_file(here) != environment_text)
      throw seam::usage_error(
          fmt::format("'{}': the folder holds another campaign or environment (expected a new "
                      "folder, or that of {})",
                      place.string(), campaign_name));
    return made;
  }
  if (std::filesystem::exists(place) &&
      (!std::filesystem::is_directory(place) || !std::filesystem::is_empty(place)))
    throw seam::usage_error(fmt::format("'{}': there are other files (expected a new folder)",
                                        place.string()));
  generate(made, program);
  write_file(here, environment_text);
  write_file(asked, campaign_text); // last: from now on the folder is whole
  return made;
}

std::string command_of(campaign_folder const& made, kernel_run const& run, path const& program) {
  return joined_settings(made) +
         filled_in(made.here.launch, {{"mpiexec", launcher_of_library()},
                                      {"processes", std::to_string(run.on.num_processes())},
                                      {"nodes", std::to_string(run.on.nodes)},
                                      {"per-node", std::to_string(run.on.per_node)},
                                      {"kernel", kernel_of(made, run, program)}});
}

bool is_done(kernel_run const& run) {
  return std::filesystem::exists(run.output) &&
         parse_results(read_file(run.output), run.output.string(), last_row::may_be_cut)
             .is_complete;
}

std::vector<results> read_results(campaign_folder const& made, deployment const& of,
                                  std::optional<results> const& first) {
  std::vector<results> all;
  for (kernel_run const& run : made.runs()) {
    if (run.on.name() != of.name())
      continue;
    all.push_back(parse_results(read_file(run.output), run.output.string()));
    require_same_machine(first ? *first : all.front(), all.back());
    require_same_experiments(all.front(), all.back());
  }
  return all;
}

} // namespace guidelines
