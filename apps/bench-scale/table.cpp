#include "table.hpp"

#include <fmt/format.h>

#include <array>

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

} // namespace scale_bench
