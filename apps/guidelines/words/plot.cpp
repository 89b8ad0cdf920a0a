// plot: pictures of the violations.
#include "analysis/outcome.hpp"
#include "campaign/drawing.hpp"
#include "words/analysis_options.hpp"
#include "words/drawing_options.hpp"
#include "words/words.hpp"

#include <seam/program.hpp>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

namespace guidelines {
namespace {

constexpr char const* plot_examples = R"(Examples:
  seam-guidelines plot monday
  seam-guidelines plot monday --format png --python /usr/bin/python3

Analyzes the campaign, and draws for each violating group an overview of the medians of both sides,
and for each violation the times of all runs as boxes, normalized to the median of the left side.
Writes plots/*.svg, and plots/contact.html with all of them, which needs no other file.)";

} // namespace

int plot_word(int argc, char** argv) {
  analysis_options wanted;
  drawing_options how;
  return seam::run_program_alone(
      argc, argv,
      [&](CLI::App& cli) {
        cli.name("seam-guidelines plot");
        cli.description("Draws the violations of a campaign.");
        add_analysis_options(cli, wanted);
        add_drawing_options(cli, how);
        cli.footer(plot_examples);
      },
      [&] {
        auto const of = analyze_folder(wanted);
        write_analysis(*of);
        draw(of->made.place, how);
        fmt::print("{} violations are drawn in {}\n", of->num_violations(),
                   (of->made.place / "plots" / "contact.html").string());
      });
}

} // namespace guidelines
