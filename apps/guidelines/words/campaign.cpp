// campaign: all steps, from the campaign's file to the page of its results.
#include "analysis/page.hpp"
#include "campaign/drawing.hpp"
#include "campaign/launch.hpp"
#include "campaign/shell.hpp"
#include "campaign/shipped_files.hpp"
#include "words/campaign_options.hpp"
#include "words/drawing_options.hpp"
#include "words/words.hpp"

#include <seam/exchange.hpp>
#include <seam/program.hpp>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

namespace guidelines {
namespace {

constexpr char const* campaign_examples = R"(Examples:
  seam-guidelines campaign quick
  seam-guidelines campaign seam --folder monday --deployments 1x2
  seam-guidelines campaign quick --environment oversubscribed --deployments 1x8 --folder eight
  seam-guidelines campaign nbhcoll-jupiter --environment slurm --folder jupiter

Generates the campaign's folder, makes its runs, tests its guidelines, draws the violations, writes
report.html and archives the folder. Called again it goes on where it was interrupted. Without
Matplotlib it says so, and leaves the pictures out.)";

struct options {
  campaign_options of;
  drawing_options how;
  bool no_plots = false, no_archive = false;
};

void add_options(CLI::App& cli, options& wanted) {
  cli.name("seam-guidelines campaign");
  cli.description("Measures and judges a campaign.");
  add_campaign_options(cli, wanted.of);
  add_drawing_options(cli, wanted.how);
  cli.add_flag("--no-plots", wanted.no_plots, "draw nothing");
  cli.add_flag("--no-archive", wanted.no_archive, "leave out the archive");
  cli.footer(campaign_examples);
}

/// Draws, or says on stderr what is missing for it.
void try_to_draw(outcome const& of, drawing_options const& how) {
  try {
    draw(of.made.place, how);
  } catch (seam::usage_error const& problem) {
    fmt::print(stderr, "{}\n", problem.what());
  }
}

void archive(campaign_folder const& made) {
  std::string const command = filled_in(
      made.here.archive, {{"archive", "'" + made.place.string() + ".tar.gz'"},
                          {"folder", fmt::format("-C '{}' '{}'", made.place.parent_path().string(),
                                                 made.place.filename().string())}});
  constexpr double longest = 3600;
  if (run_in_shell(command, longest) != 0)
    throw seam::usage_error(fmt::format("archive: '{}' failed", command));
}

void run(options const& wanted) {
  auto const made = open_or_generate(wanted.of);
  if (int const open = make_runs(made, program_path()); open > 0)
    throw seam::usage_error(
        fmt::format("{} runs are not done (the same command goes on; results so "
                    "far are in '{}')",
                    open, (made.place / "results").string()));
  auto const of = analyze_folder({.folder = made.place.string()});
  write_analysis(*of);
  if (!wanted.no_plots)
    try_to_draw(*of, wanted.how);
  write_page(*of);
  if (!wanted.no_archive)
    archive(made);
  fmt::print("{}\n{}\n", markdown_of(*of), (made.place / "report.html").string());
}

} // namespace

int campaign_word(int argc, char** argv) {
  options wanted;
  return seam::run_program_alone(
      argc, argv, [&](CLI::App& cli) { add_options(cli, wanted); }, [&] { run(wanted); });
}

} // namespace guidelines
