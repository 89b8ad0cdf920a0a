// analyze: the guidelines' verdicts.
#include "analysis/outcome.hpp"
#include "words/analysis_options.hpp"
#include "words/words.hpp"

#include <seam/program.hpp>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

namespace guidelines {
namespace {

constexpr char const* analyze_examples = R"(Examples:
  seam-guidelines analyze monday
  seam-guidelines analyze monday --confirm tuesday
  seam-guidelines analyze monday --guidelines mine.txt --varied dimensions --p 0.01 --v 1.1

A file of guidelines has lines such as
  guideline GL4 setup=Neighbor_allgather <= setup=Neighbor_alltoall
  guideline GL11 ordering=FMAJ|LMAJ ~ ordering=RAND
  guideline OV1 setup=Ineighbor_alltoall <= setup=Neighbor_alltoall work=0 + setup=Work
The levels that a guideline does not name are the same on both sides: all but the varied one, which
is the x axis of plots, make up the groups.
Writes analysis/guidelines.md, guidelines.csv, tests.csv and plots.json into the folder.)";

} // namespace

int analyze_word(int argc, char** argv) {
  analysis_options wanted;
  return seam::run_program_alone(
      argc, argv,
      [&](CLI::App& cli) {
        cli.name("seam-guidelines analyze");
        cli.description("Tests the guidelines with the times of a campaign.");
        add_analysis_options(cli, wanted);
        cli.footer(analyze_examples);
      },
      [&] {
        auto const of = analyze_folder(wanted);
        write_analysis(*of);
        fmt::print("{}", markdown_of(*of));
      });
}

} // namespace guidelines
