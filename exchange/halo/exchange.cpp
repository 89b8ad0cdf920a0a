#include <seam/exchange/halo/exchange.hpp>

#include <seam/exchange/agreement/agreement.hpp>
#include <seam/exchange/calls/call_check.hpp>
#include <seam/exchange/ground/checks.hpp>
#include <seam/exchange/ground/error.hpp>
#include <seam/exchange/halo/detail/watched_exchange.hpp>
#include <seam/exchange/planning/alltoallw.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cxxabi.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <numeric>
#include <string>

namespace seam {
using namespace detail;

namespace {

/// "8, 8", in checked mode "8 (u: double), 8 (v: double)": the element sizes of a rank's arrays,
/// for comparison and for error lines.
std::string words_of(std::span<exchanged_array const> arrays) {
  std::vector<std::string> all;
  for (exchanged_array const& array : arrays)
    all.push_back(checks_are_on() && !array.words.empty()
                      ? fmt::format("{} ({})", array.element_bytes, array.words)
                      : std::to_string(array.element_bytes));
  return fmt::format("{}", fmt::join(all, ", "));
}

/// "double"; the compiler's mangled name if it cannot be demangled.
std::string name_of_type(std::type_info const& type) {
  int problem = 0;
  std::unique_ptr<char, decltype(&std::free)> const name(
      abi::__cxa_demangle(type.name(), nullptr, nullptr, &problem), &std::free);
  return problem == 0 ? name.get() : type.name();
}

char const* name_of(reduction how) {
  switch (how) {
  case reduction::sum: return "sum";
  case reduction::min: return "min";
  case reduction::max: return "max";
  case reduction::replace: break;
  }
  return "";
}

/// Calls append(array, block) for each region of each array, edge by edge. Returns the offset of
/// each edge's first block. [num_edges + 1]
template <class Append>
std::vector<int> lay_out(regions_of_edges const& regions, std::span<exchanged_array const> arrays,
                         Append append) {
  std::vector<int> offsets{0};
  int count = 0;
  for (int e = 0; e < regions.num_edges(); ++e) {
    for (exchanged_array const& array : arrays)
      for (region const& where : regions[e]) {
        append(array, make_block(array.data, array.element_bytes, where, array.memory));
        ++count;
      }
    offsets.push_back(count);
  }
  return offsets;
}

/// Plans one round of an exchange.
/// @param gates  [destinations] of `pattern`, or empty
schedule make_schedule(Communicator const& over, plan const& pattern,
                       std::span<exchanged_array const> arrays, std::vector<int> gates) {
  alltoallw_buffers buffers;
  buffers.gates = std::move(gates);
  buffers.destinations2sources =
      lay_out(pattern.sends(), arrays, [&](exchanged_array const&, block const& where) {
        buffers.sources.push_back(where);
      });
  buffers.sources2targets =
      lay_out(pattern.receives(), arrays, [&](exchanged_array const& array, block const& where) {
        buffers.targets.push_back({where, array.combine});
      });
  return make_alltoallw(over.rank(), over.size(), pattern.topology(), buffers);
}

} // namespace

std::string words_of_array(std::string_view name, std::type_info const& type, reduction how) {
  return fmt::format("{}{}{}{}{}", name, name.empty() ? "" : ": ", name_of_type(type),
                     how == reduction::replace ? "" : ", ", name_of(how));
}

namespace {

/// Checks and makes the operation of a planned schedule.
/// Collective: over `over`.
operation operation_of(Communicator const& over, schedule const& steps) {
  if (checks_are_on())
    require_match(
        over,
        {.call = "exchange", .leaving = steps.leaving, .arriving = steps.arriving, .error = {}});
  operation prepared(over, steps);
  prepared.keep_on(over, "exchange");
  return prepared;
}

using watched_edges = std::vector<std::vector<watched_elements>>;

/// Notes a region that arrives, if its array is watched.
void note_arrival(std::vector<watched_elements>& edge, exchanged_array const& array,
                  region const& where) {
  if (array.watch)
    edge.push_back({array.watch, where, array.combine != nullptr});
}

operation watched(operation prepared, watched_edges const& edges,
                  std::span<exchanged_array const> arrays) {
  auto const is_watched = [](exchanged_array const& array) { return bool(array.watch); };
  auto const is_named = [](exchanged_array const& array) { return !array.name.empty(); };
  if (std::ranges::any_of(arrays, is_watched) ||
      (skips_exchanges() && std::ranges::any_of(arrays, is_named)))
    watch_exchange(prepared, edges);
  return prepared;
}

/// Calls append(array, block) for each region, edge by edge. Returns the offset of each edge's
/// first block. [num_edges + 1]
template <class Append>
std::vector<int> lay_out(std::vector<std::vector<array_region>> const& edges,
                         std::span<exchanged_array const> arrays, Append append) {
  std::vector<int> offsets{0};
  for (auto const& regions : edges) {
    for (array_region const& part : regions) {
      exchanged_array const& array = arrays[part.array];
      append(array, make_block(array.data, array.element_bytes, part.where, array.memory));
    }
    offsets.push_back(offsets.back() + static_cast<int>(regions.size()));
  }
  return offsets;
}

} // namespace

operation make_exchange(Communicator const& over, Topology const& edges,
                        std::vector<std::vector<array_region>> const& sends,
                        std::vector<std::vector<array_region>> const& receives,
                        std::span<exchanged_array const> arrays) {
  call_scope const here("make_exchange", *over.calls());
  require_same(over.context(), "exchange: arrays with elements of these bytes:", words_of(arrays));
  schedule const steps = collectively(over.context(), [&] {
    alltoallw_buffers buffers;
    buffers.gates.resize(sends.size());
    std::iota(buffers.gates.begin(), buffers.gates.end(), 0);
    buffers.destinations2sources =
        lay_out(sends, arrays, [&](exchanged_array const&, block const& where) {
          buffers.sources.push_back(where);
        });
    buffers.sources2targets =
        lay_out(receives, arrays, [&](exchanged_array const& array, block const& where) {
          buffers.targets.push_back({where, array.combine});
        });
    schedule all = make_alltoallw(over.rank(), over.size(), edges, buffers);
    all.num_gates = std::max(all.num_gates, static_cast<int>(sends.size()));
    return all;
  });
  watched_edges arriving(receives.size());
  for (int e = 0; e < std::ssize(receives); ++e)
    for (array_region const& part : receives[e])
      note_arrival(arriving[e], arrays[part.array], part.where);
  return watched(operation_of(over, steps), arriving, arrays);
}

operation make_exchange(Communicator const& over, plan const& pattern,
                        std::span<exchanged_array const> arrays) {
  return make_exchange(over, std::span(&pattern, 1), arrays);
}

operation make_exchange(Communicator const& over, std::span<plan const> rounds,
                        std::span<exchanged_array const> arrays, gating gates) {
  call_scope const here("make_exchange", *over.calls());
  require_same(over.context(), "exchange: arrays with elements of these bytes, and plans:",
               fmt::format("[{}], {}", words_of(arrays), rounds.size()));
  schedule const steps = collectively(over.context(), [&] {
    if (rounds.empty())
      refuse("exchange: no plan (expected at least one)");
    int num_gates = 0;
    auto const next_gates = [&](plan const& round) {
      std::vector<int> edges(gates == gating::by_edge ? round.topology().destinations().size() : 0);
      std::iota(edges.begin(), edges.end(), num_gates);
      num_gates += static_cast<int>(edges.size());
      return edges;
    };
    schedule all = make_schedule(over, rounds.front(), arrays, next_gates(rounds.front()));
    for (plan const& round : rounds.subspan(1))
      all.append(make_schedule(over, round, arrays, next_gates(round)));
    all.num_gates = std::max(all.num_gates, num_gates);
    return all;
  });
  watched_edges arriving;
  for (plan const& round : rounds)
    for (int e = 0; e < round.receives().num_edges(); ++e) {
      auto& edge = arriving.emplace_back();
      for (exchanged_array const& array : arrays)
        for (region const& where : round.receives()[e])
          note_arrival(edge, array, where);
    }
  return watched(operation_of(over, steps), arriving, arrays);
}

} // namespace seam
