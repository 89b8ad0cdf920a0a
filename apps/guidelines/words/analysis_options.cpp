#include "words/analysis_options.hpp"

#include <CLI/CLI.hpp>

#include <vector>

namespace guidelines {

void add_analysis_options(CLI::App& cli, analysis_options& wanted) {
  cli.add_option("folder", wanted.folder, "of a campaign")->required()->type_name("FOLDER");
  cli.add_option("--guidelines", wanted.guidelines,
                 "file with other guidelines than the campaign's")
      ->type_name("FILE.txt");
  cli.add_option("--confirm", wanted.confirm,
                 "folder of a second campaign: violations are those that both have")
      ->type_name("FOLDER");
  cli.add_option("--p", wanted.p, "largest p of a violation; the campaign's unless told")
      ->check(CLI::Range(0.0, 1.0, "P"));
  cli.add_option("--v", wanted.v, "least ratio of a violation; the campaign's unless told")
      ->check(CLI::PositiveNumber);
  std::vector<std::string> const columns(column_names.begin(), column_names.end());
  cli.add_option("--varied", wanted.varied, "the column along which groups are drawn")
      ->check(CLI::IsMember(columns))
      ->type_name("COLUMN");
}

} // namespace guidelines
