#include "table.hpp"

#include <seam/exchange.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <sstream>

namespace scale_bench {
namespace {

constexpr char const* names =
    "operation,transport,ranks,cells,edges,seconds,sends,collectives,messages,bytes,allocations,"
    "kept,peak,others,process";

/// The whole numbers of a row behind its time, in the order of the columns.
constexpr std::array counts{&row::sends, &row::collectives, &row::messages,
                            &row::bytes, &row::allocations, &row::kept,
                            &row::peak,  &row::others,      &row::process};

std::string time_of(row const& timed) {
  return timed.seconds < 0 ? "-" : fmt::format("{:.3e}", timed.seconds);
}

/// The next value of a line, which ends at a comma.
template <class T>
bool take(std::istringstream& line, T& value) {
  std::string word;
  if (!std::getline(line, word, ','))
    return false;
  std::istringstream number(word);
  return static_cast<bool>(number >> value) && number.peek() == EOF;
}

bool take(std::istringstream& line, std::string& word) {
  return static_cast<bool>(std::getline(line, word, ','));
}

bool take_row(std::string const& text, row& into) {
  std::istringstream line(text);
  bool const begins = take(line, into.operation) && take(line, into.transport) &&
                      take(line, into.ranks) && take(line, into.cells) && take(line, into.edges) &&
                      take(line, into.seconds);
  return begins &&
         std::ranges::all_of(counts, [&](auto const count) { return take(line, into.*count); }) &&
         line.peek() == EOF && into.ranks > 0;
}

} // namespace

std::string text_of(table const& rows) {
  std::string text =
      fmt::format("{:<24}{:<10}{:>6}{:>12}{:>8}{:>8}{:>10}{:>12}{:>10}{:>12}{:>12}{:>12}{:>12}\n",
                  "operation", "transport", "ranks", "seconds", "sends", "calls", "messages",
                  "bytes", "allocs", "kept", "peak", "others", "process");
  for (row const& line : rows)
    text +=
        fmt::format("{:<24}{:<10}{:>6}{:>12}{:>8}{:>8}{:>10}{:>12}{:>10}{:>12}{:>12}{:>12}{:>12}\n",
                    line.operation, line.transport, line.ranks, time_of(line), line.sends,
                    line.collectives, line.messages, line.bytes, line.allocations, line.kept,
                    line.peak, line.others, line.process);
  return text;
}

std::string csv_of(table const& rows) {
  std::string text = fmt::format("{}\n", names);
  for (row const& line : rows) {
    text += fmt::format("{},{},{},{},{},{:.6e}", line.operation, line.transport, line.ranks,
                        line.cells, line.edges, line.seconds);
    for (auto const count : counts)
      text += fmt::format(",{}", line.*count);
    text += '\n';
  }
  return text;
}

table table_of(std::string const& csv, std::string const& name) {
  std::istringstream lines(csv);
  std::string line;
  if (!std::getline(lines, line) || line != names)
    seam::refuse(fmt::format("{}:1: '{}' (expected the names of columns that --csv writes)", name,
                             line.substr(0, 40)));
  table rows;
  for (int number = 2; std::getline(lines, line); ++number)
    if (!take_row(line, rows.emplace_back()))
      seam::refuse(fmt::format("{}:{}: '{}' (expected two names and {} numbers)", name, number,
                               line.substr(0, 40), 4 + counts.size()));
  if (rows.empty())
    seam::refuse(fmt::format("{}: no rows (expected a table that --csv has written)", name));
  return rows;
}

row const* find(table const& rows, std::string_view operation,
                std::string_view transport) noexcept {
  auto const found = std::ranges::find_if(rows, [&](row const& line) {
    return line.operation == operation && line.transport == transport;
  });
  return found == rows.end() ? nullptr : &*found;
}

} // namespace scale_bench
