#include "analysis/outcome.hpp"

#include "analysis/tables.hpp"

#include <seam/exchange.hpp>

#include <fmt/format.h>

#include <memory>

namespace guidelines {
namespace {

/// The campaign with the guidelines and thresholds that are asked for.
campaign_folder folder_of(analysis_options const& wanted) {
  auto made = open_folder(wanted.folder);
  if (!wanted.guidelines.empty())
    made.asked.judged_by = parse_guidelines(read_file(wanted.guidelines), wanted.guidelines);
  if (made.asked.judged_by.empty())
    throw seam::usage_error(fmt::format("'{}': the campaign has no guidelines (expected them there "
                                        "or by --guidelines)",
                                        wanted.folder));
  made.asked.beyond.p = wanted.p.value_or(made.asked.beyond.p);
  made.asked.beyond.v = wanted.v.value_or(made.asked.beyond.v);
  if (!wanted.varied.empty())
    made.asked.varied = *column_named(wanted.varied);
  return made;
}

void read_deployments(outcome& of) {
  std::optional<results> first;
  for (deployment const& on : of.made.asked.deployments) {
    auto runs = read_results(of.made, on, first);
    of.deployments.push_back(collect(on.name(), runs));
    if (!first)
      first = std::move(runs.front());
  }
  of.first = std::move(*first);
}

std::unique_ptr<outcome> analyze_one(analysis_options const& wanted) {
  auto of = std::make_unique<outcome>();
  of->made = folder_of(wanted);
  read_deployments(*of);
  campaign const& asked = of->made.asked;
  of->verdicts = analyze(of->deployments, asked.judged_by, asked.beyond, asked.varied);
  return of;
}

} // namespace

int outcome::num_violations() const {
  int number = 0;
  for (auto const& of_guideline : verdicts)
    for (verdict const& of : of_guideline)
      number += of.num_violations();
  return number;
}

std::unique_ptr<outcome> analyze_folder(analysis_options const& wanted) {
  auto of = analyze_one(wanted);
  if (wanted.confirm.empty())
    return of;
  auto other = wanted;
  other.folder = wanted.confirm;
  if (wanted.guidelines.empty())
    other.guidelines = (of->made.place / "campaign.txt").string();
  keep_confirmed(of->verdicts, analyze_one(other)->verdicts);
  return of;
}

std::string markdown_of(outcome const& of) {
  campaign const& asked = of.made.asked;
  std::string text =
      fmt::format("# Campaign {}\n\n{} runs of {} repetitions on {}, {}.\n\n"
                  "A cell is: violations/tests (violating groups/groups), and the largest ratio of "
                  "a violation. "
                  "A violation has p <= {} and v >= {}.\n\n",
                  asked.name, asked.runs, asked.repetitions, of.first.head("library").text,
                  of.first.head("machine").text, asked.beyond.p, asked.beyond.v);
  text += markdown_table(of.verdicts);
  if (auto const excluded = excluded_experiments(of.deployments); !excluded.empty())
    text += "\nExperiments whose times stay out:\n\n" + excluded;
  return text;
}

void write_analysis(outcome const& of) {
  path const folder = of.made.place / "analysis";
  write_file(folder / "guidelines.md", markdown_of(of));
  write_file(folder / "guidelines.csv", table_csv(of.verdicts));
  write_file(folder / "tests.csv", tests_csv(of.verdicts, of.made.asked.varied));
  write_file(folder / "plots.json", plots_json(of.verdicts, of.deployments, of.made.asked));
}

} // namespace guidelines
