#include <seam/exchange/exchange.hpp>

#include <seam/exchange/agreement.hpp>
#include <seam/exchange/checks.hpp>
#include <seam/exchange/collectives/alltoallw.hpp>
#include <seam/exchange/collectives/call_check.hpp>
#include <seam/exchange/error.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <numeric>
#include <string>

namespace seam {
namespace {

/// "8, 8, 1": what a rank registers, for comparison and for error lines.
std::string element_sizes(std::span<exchanged_array const> arrays) {
  std::vector<std::int64_t> sizes;
  for (exchanged_array const& one : arrays)
    sizes.push_back(one.element_bytes);
  return fmt::format("{}", fmt::join(sizes, ", "));
}

/// For each edge: each array's blocks of each region.
template <class Append>
std::vector<int> lay_out(regions_of_edges const& regions, std::span<exchanged_array const> arrays,
                         Append append) {
  std::vector<int> offsets{0};
  int count = 0;
  for (int e = 0; e < regions.num_edges(); ++e) {
    for (exchanged_array const& array : arrays)
      for (region const& where : regions[e]) {
        append(array, make_block(array.data, array.element_bytes, where));
        ++count;
      }
    offsets.push_back(count);
  }
  return offsets;
}

/// @param gates  [destinations] of `what`, or empty
schedule make_schedule(Communicator const& over, plan const& what,
                       std::span<exchanged_array const> arrays, std::vector<int> gates) {
  alltoallw_buffers buffers;
  buffers.gates = std::move(gates);
  buffers.destinations2sources =
      lay_out(what.sends(), arrays, [&](exchanged_array const&, block const& where) {
        buffers.sources.push_back(where);
      });
  buffers.sources2targets =
      lay_out(what.receives(), arrays, [&](exchanged_array const& array, block const& where) {
        buffers.targets.push_back({where, array.combine});
      });
  return make_alltoallw(over.rank(), over.size(), what.topology(), buffers);
}

} // namespace

operation make_exchange(Communicator const& over, plan const& what,
                        std::span<exchanged_array const> arrays) {
  return make_exchange(over, std::span(&what, 1), arrays);
}

operation make_exchange(Communicator const& over, std::span<plan const> rounds,
                        std::span<exchanged_array const> arrays, gating gates) {
  require_same(over.context(), "exchange: arrays with elements of these bytes, and plans:",
               fmt::format("[{}], {}", element_sizes(arrays), rounds.size()));
  schedule const steps = collectively(over.context(), [&] {
    if (rounds.empty())
      refuse("exchange: no plan (expected at least one)");
    int num_gates = 0;
    auto const next_gates = [&](plan const& what) {
      std::vector<int> edges(gates == gating::by_edge ? what.topology().destinations().size() : 0);
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
  if (checks_are_on())
    require_match(
        over,
        {.call = "exchange", .leaving = steps.leaving, .arriving = steps.arriving, .error = {}});
  return operation(over, steps);
}

} // namespace seam
