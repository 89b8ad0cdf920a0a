/// Folders of campaigns, and what is written into them.
///
///     campaign.txt  environment.txt           copies of the files that the campaign is made of
///     inputs/1x2/run-01.csv                   the experiments of a run, in its order
///     jobs/1x2.sh                             a job script for each deployment
///     results/1x2/run-01.csv                  the times of a run
///     analysis/  plots/  report.html          what is made of them
#pragma once

#include "campaign/campaign_file.hpp"
#include "campaign/environment_file.hpp"
#include "experiments/results_file.hpp"

#include <filesystem>

namespace guidelines {

using path = std::filesystem::path;

/// Reads a whole file.
/// @throws usage_error  it cannot be read
std::string read_file(path const& file);

/// Writes a file beside its place and renames it when it is whole. Makes the folder.
/// @throws usage_error  it cannot be written
void write_file(path const& file, std::string_view text);

/// One call of the kernel.
struct kernel_run {
  deployment on;
  int number; ///< from 1
  path input, output;
};

/// A campaign in its folder.
struct campaign_folder {
  path place;
  campaign asked;
  environment here;

  /// All runs: the first of each deployment, then the second, and so on.
  std::vector<kernel_run> runs() const;
};

/// Opens a folder that open_or_generate() has made.
/// @throws usage_error  it is none, or one of its files is malformed
campaign_folder open_folder(path const& place);

/// Writes input files and job scripts, unless the folder has them already.
///
/// Each run has the experiments in another random order, which follows from the campaign's seed,
/// the deployment and the number of the run.
///
/// @param program  path of this program, for job scripts
/// @throws usage_error  a file is malformed; the folder has another campaign or environment, or
///         other files; a deployment has too few prime factors for the dimensions of an experiment
campaign_folder open_or_generate(path const& place, std::string const& campaign_text,
                                 std::string const& campaign_name,
                                 std::string const& environment_text,
                                 std::string const& environment_name, path const& program);

/// The command of one run, for a shell.
std::string command_of(campaign_folder const& made, kernel_run const& run, path const& program);

/// True if the results of a run are there and whole.
/// @throws usage_error  they are malformed
bool is_done(kernel_run const& run);

/// Reads the results of all runs of a deployment.
/// @throws usage_error  a file is missing, malformed or not whole; runs have different experiments,
///         or were made on other machines or by other builds than `first`, unless that is empty
std::vector<results> read_results(campaign_folder const& made, deployment const& of,
                                  std::optional<results> const& first);

} // namespace guidelines
