// report: the page of a campaign.
#include "analysis/page.hpp"
#include "words/analysis_options.hpp"
#include "words/words.hpp"

#include <seam/program.hpp>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

namespace guidelines {
namespace {

constexpr char const* report_examples = R"(Examples:
  seam-guidelines report monday
  seam-guidelines report monday --confirm tuesday

Analyzes the campaign and writes report.html, which a browser shows without network, and report.md.
The page has the pictures that plot has drawn, and links to the times in its folder.)";

} // namespace

int report_word(int argc, char** argv) {
  analysis_options wanted;
  return seam::run_program_alone(
      argc, argv,
      [&](CLI::App& cli) {
        cli.name("seam-guidelines report");
        cli.description("Makes a page of a campaign's tables and pictures.");
        add_analysis_options(cli, wanted);
        cli.footer(report_examples);
      },
      [&] {
        auto const of = analyze_folder(wanted);
        write_analysis(*of);
        write_page(*of);
        fmt::print("{}\n", (of->made.place / "report.html").string());
      });
}

} // namespace guidelines
