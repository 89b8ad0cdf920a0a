#include "analysis/tables.hpp"

#include "statistics/quantile.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace guidelines {
namespace {

std::string cell_of(verdict const& of) {
  std::string const text = fmt::format("{}/{} ({}/{})", of.num_violations(), of.tests.size(),
                                       of.num_violating_groups(), of.num_groups());
  return of.num_violations() > 0 ? fmt::format("**{}** {:.3g}", text, of.largest_ratio()) : text;
}

/// Bars separate the cells of a table.
std::string in_markdown(std::string text) {
  for (auto at = text.find('|'); at != text.npos; at = text.find('|', at + 2))
    text.insert(at, "\\");
  return text;
}

/// The experiments of a list in a few words each, at most some of them.
std::string list_of(std::string const& deployment, char const* what,
                    std::vector<levels> const& experiments) {
  constexpr std::ptrdiff_t most = 20;
  std::string text;
  for (int k = 0; k < std::min(std::ssize(experiments), most); ++k)
    text += fmt::format("- {} {}: `{}`\n", what, deployment, line_of(experiments[k]));
  if (std::ssize(experiments) > most)
    text += fmt::format("- {} {}: {} more\n", what, deployment, std::ssize(experiments) - most);
  return text;
}

/// Words in quotes; those of tables have no characters that would need an escape.
std::string json(std::string const& text) { return '"' + text + '"'; }

/// The least and the largest value of a run, and the quartiles between, over a scale.
std::vector<double> box_of(std::vector<double> const& run, double scale) {
  std::vector<double> numbers;
  for (double part : {0.0, 0.25, 0.5, 0.75, 1.0})
    numbers.push_back(quantile(run, part) / scale);
  return numbers;
}

std::string boxes_of(sample const& of, double scale) {
  std::vector<std::string> boxes;
  for (auto const& run : of.runs)
    boxes.push_back(fmt::format("[{:.6g}]", fmt::join(box_of(run, scale), ",")));
  return fmt::format("[{}]", fmt::join(boxes, ","));
}

/// One comparison; its boxes if it is a violation.
std::string point_json(verdict const& of, comparison const& test, samples const& in) {
  std::string text =
      fmt::format(R"({{"x":{},"a":{:.6e},"b":{:.6e},"p":{:.3e},"v":{:.6g},"violation":{})",
                  json(test.varied), test.left_median, test.right_median, test.p, test.v,
                  test.is_violation);
  if (test.is_violation) {
    auto const right = right_side(in, *of.of, test.left);
    text += fmt::format(R"(,"boxes_a":{},"boxes_b":{})",
                        boxes_of(*in.of.at(test.left), test.left_median),
                        boxes_of(*right, test.left_median));
  }
  return text + '}';
}

std::string side_in_words(guideline const& of, bool is_left) {
  auto const text = of.in_words();
  auto const at = text.find(" <= ");
  return is_left ? text.substr(0, at) : text.substr(at + 4);
}

/// The violating groups of one guideline in one deployment.
void add_groups(std::vector<std::string>& groups, verdict const& of, samples const& in) {
  for (auto test = of.tests.begin(); test != of.tests.end();) {
    auto const end = std::find_if(test, of.tests.end(), [&](comparison const& other) {
      return other.group != test->group;
    });
    if (std::any_of(test, end, [](comparison const& judged) { return judged.is_violation; })) {
      std::vector<std::string> points;
      for (auto point = test; point != end; ++point)
        points.push_back(point_json(of, *point, in));
      groups.push_back(fmt::format(
          "{{\"guideline\":{},\"a\":{},\"b\":{},\"deployment\":{},\"group\":{},\"points\":[\n{}]}}",
          json(of.of->name), json(side_in_words(*of.of, true)), json(side_in_words(*of.of, false)),
          json(of.deployment), json(test->group), fmt::join(points, ",\n")));
    }
    test = end;
  }
}

} // namespace

std::string markdown_table(std::vector<std::vector<verdict>> const& verdicts) {
  std::string text = "| guideline |", rule = "\n| --- |";
  for (verdict const& of : verdicts.at(0)) {
    text += fmt::format(" {} |", of.deployment);
    rule += " --- |";
  }
  text += rule + '\n';
  for (auto const& of_guideline : verdicts) {
    text += fmt::format("| {}: {} |", of_guideline[0].of->name,
                        in_markdown(of_guideline[0].of->in_words()));
    for (verdict const& of : of_guideline)
      text += fmt::format(" {} |", cell_of(of));
    text += '\n';
  }
  return text;
}

std::string table_csv(std::vector<std::vector<verdict>> const& verdicts) {
  std::string text =
      "name,guideline,deployment,violations,tests,violating_groups,groups,largest_ratio\n";
  for (auto const& of_guideline : verdicts)
    for (verdict const& of : of_guideline)
      text += fmt::format("{},{},{},{},{},{},{},{:.6g}\n", of.of->name, of.of->in_words(),
                          of.deployment, of.num_violations(), of.tests.size(),
                          of.num_violating_groups(), of.num_groups(), of.largest_ratio());
  return text;
}

std::string tests_csv(std::vector<std::vector<verdict>> const& verdicts, column varied) {
  std::string text = fmt::format("name,guideline,deployment,{},left_median,right_median,v,p,"
                                 "violation,{}\n",
                                 column_names[varied], fmt::join(column_names, ","));
  for (auto const& of_guideline : verdicts)
    for (verdict const& of : of_guideline)
      for (comparison const& test : of.tests)
        text += fmt::format("{},{},{},{},{:.6e},{:.6e},{:.6g},{:.6e},{},{}\n", of.of->name,
                            of.of->in_words(), of.deployment, test.varied, test.left_median,
                            test.right_median, test.v, test.p, test.is_violation ? 1 : 0,
                            line_of(test.left));
  return text;
}

std::string excluded_experiments(std::vector<samples> const& deployments) {
  std::string text;
  for (samples const& in : deployments)
    text += list_of(in.deployment, "WRONG on", in.wrong) +
            list_of(in.deployment, "ABSENT on", in.absent);
  return text;
}

std::string plots_json(std::vector<std::vector<verdict>> const& verdicts,
                       std::vector<samples> const& deployments, campaign const& asked) {
  std::vector<std::string> groups;
  for (auto const& of_guideline : verdicts)
    for (int d = 0; d < std::ssize(deployments); ++d)
      add_groups(groups, of_guideline[d], deployments[d]);
  return fmt::format("{{\"campaign\":{},\"varied\":{},\"groups\":[\n{}\n]}}\n", json(asked.name),
                     json(std::string(column_names[asked.varied])), fmt::join(groups, ",\n"));
}

} // namespace guidelines
