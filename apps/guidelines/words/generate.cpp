// generate: the files of a campaign.
#include "campaign/shipped_files.hpp"
#include "words/campaign_options.hpp"
#include "words/words.hpp"

#include <seam/program.hpp>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

namespace guidelines {
namespace {

constexpr char const* generate_examples = R"(Examples:
  seam-guidelines generate nbhcoll-jupiter --environment slurm --folder jupiter
  seam-guidelines generate mine.txt --environment mine-env.txt --deployments 1x2,1x4 --runs 15
  for job in jupiter/jobs/*.sh; do sbatch $job; done

Campaigns and environments are files, or names of those that come with the program. The folder gets
copies of both, the experiments of each run in another random order, and a job script for each
deployment. 'campaign' goes on from there.)";

} // namespace

int generate_word(int argc, char** argv) {
  campaign_options wanted;
  return seam::run_program_alone(
      argc, argv,
      [&](CLI::App& cli) {
        cli.name("seam-guidelines generate");
        cli.description("Makes the files of a campaign.");
        add_campaign_options(cli, wanted);
        cli.footer(generate_examples);
      },
      [&] {
        auto const made = open_or_generate(wanted);
        fmt::print("{} runs of {} experiments on {} deployments in {}\n", made.asked.runs,
                   made.asked.experiments.size(), made.asked.deployments.size(),
                   made.place.string());
      });
}

} // namespace guidelines
