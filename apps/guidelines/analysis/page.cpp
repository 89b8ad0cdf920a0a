#include "analysis/page.hpp"

#include "analysis/tables.hpp"

#include <fmt/format.h>

namespace guidelines {
namespace {

constexpr char const* style =
    "body{font-family:sans-serif;margin:2em}td,th{border:1px solid #aaa;padding:.3em .6em;"
    "text-align:left}table{border-collapse:collapse}.bad{background:#fdd}img,svg{max-width:30em}";

std::string in_html(std::string const& text) {
  std::string safe;
  for (char const letter : text)
    safe += letter == '<'   ? "&lt;"
            : letter == '>' ? "&gt;"
            : letter == '&' ? "&amp;"
                            : std::string(1, letter);
  return safe;
}

std::string row_of(std::vector<verdict> const& of_guideline) {
  std::string row = fmt::format("<tr><td>{}: {}</td>", in_html(of_guideline[0].of->name),
                                in_html(of_guideline[0].of->in_words()));
  for (verdict const& of : of_guideline)
    row += fmt::format(
        "<td{}>{}/{}<br>({}/{}){}</td>", of.num_violations() > 0 ? " class=bad" : "",
        of.num_violations(), of.tests.size(), of.num_violating_groups(), of.num_groups(),
        of.num_violations() > 0 ? fmt::format(" up to {:.3g}", of.largest_ratio()) : "");
  return row + "</tr>\n";
}

std::string table_of(outcome const& of) {
  std::string text = "<table><tr><th>guideline</th>";
  for (samples const& in : of.deployments)
    text += fmt::format("<th>{}</th>", in.deployment);
  text += "</tr>\n";
  for (auto const& of_guideline : of.verdicts)
    text += row_of(of_guideline);
  return text + "</table>\n";
}

std::string head_of(outcome const& of) {
  std::string text = "<ul>\n";
  for (head_entry const& entry : of.first.table.entries)
    if (entry.key != "end" && entry.key != "run" && entry.key != "deployment")
      text += fmt::format("<li>{}: {}</li>\n", in_html(entry.key), in_html(entry.value.text));
  return text + "</ul>\n";
}

/// The body of the contact sheet; a sentence if nothing has been drawn.
std::string pictures_of(outcome const& of) {
  path const sheet = of.made.place / "plots" / "contact.html";
  if (!std::filesystem::exists(sheet))
    return "<p>Nothing has been drawn.</p>\n";
  std::string const text = read_file(sheet);
  auto const begin = text.find("<main>"), end = text.find("</main>");
  return begin == text.npos || end == text.npos ? text
                                                : text.substr(begin, end - begin) + "</main>";
}

/// Links to the raw data in the same folder.
std::string links_of(outcome const& of) {
  std::string text = "<ul>\n<li><a href=\"campaign.txt\">campaign.txt</a>, <a "
                     "href=\"environment.txt\">environment.txt</a></li>\n<li><a "
                     "href=\"analysis/guidelines.csv\">guidelines.csv</a>, <a "
                     "href=\"analysis/tests.csv\">tests.csv</a></li>\n";
  for (deployment const& on : of.made.asked.deployments)
    text += fmt::format("<li>{} runs in <a href=\"results/{}/\">results/{}</a></li>\n",
                        of.made.asked.runs, on.name(), on.name());
  return text + "</ul>\n";
}

std::string excluded(outcome const& of) {
  std::string const list = excluded_experiments(of.deployments);
  return list.empty() ? list
                      : fmt::format("<h2>Experiments whose times stay out</h2>\n<pre>{}</pre>\n",
                                    in_html(list));
}

} // namespace

void write_page(outcome const& of) {
  campaign const& asked = of.made.asked;
  std::string const title = fmt::format("Campaign {}", asked.name);
  write_file(of.made.place / "report.md", markdown_of(of));
  write_file(
      of.made.place / "report.html",
      fmt::format("<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>{0}"
                  "</title><style>{1}</style></head><body>\n<h1>{0}</h1>\n<p>{2} runs of {3} "
                  "repetitions. A cell is: violations/tests (violating groups/groups), and the "
                  "largest ratio; a violation has p &le; {4} and v &ge; {5}.</p>\n{6}{7}"
                  "<h2>Violations</h2>\n{8}<h2>Run</h2>\n{9}<h2>Data</h2>\n{10}</body></html>\n",
                  title, style, asked.runs, asked.repetitions, asked.beyond.p, asked.beyond.v,
                  table_of(of), excluded(of), pictures_of(of), head_of(of), links_of(of)));
}

} // namespace guidelines
