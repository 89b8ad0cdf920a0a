#include <seam/mapping/rank_order.hpp>

#include <seam/exchange/agreement/agreement.hpp>
#include <seam/exchange/agreement/mpi_collective.hpp>
#include <seam/exchange/agreement/new_comm.hpp>
#include <seam/exchange/ground/error.hpp>
#include <seam/exchange/waiting/detail/call_scope.hpp>
#include <seam/exchange/waiting/mpi_bytes.hpp>
#include <seam/mapping/joint_mapping.hpp>

#include <fmt/format.h>

#include <cstdlib>
#include <optional>
#include <sstream>
#include <vector>

namespace seam::detail {
namespace {

constexpr int root = 0;

/// The order of all ranks.
struct whole_order {
  std::vector<rank_change> changes; ///< [num_ranks]
  reordering_report report;
};

whole_order order_of(rank_mapping const& mapping, placement const& placed) {
  auto const places2old = inverse_permutation(placed.ranks2places);
  whole_order all{std::vector<rank_change>(places2old.size()),
                  {to_string(placed.tree), mapping.strategy, mapping.before, mapping.after}};
  for (int rank = 0; rank < std::ssize(mapping.ranks2places); ++rank) {
    int const old = places2old[mapping.ranks2places[rank]];
    all.changes[rank].successor = old;
    all.changes[old].new_rank = rank;
    all.report.num_moved += old != rank ? 1 : 0;
  }
  return all;
}

std::string automatic_strategy(placement const& placed) {
  return placed.tree.nodes().num_parts() > 1 ? "best" : "identity";
}

whole_order find_order(placement const& placed, std::string const& strategy,
                       problem_maker const& make_problem) {
  auto const found = map_ranks(make_problem(placed),
                               strategy == "automatic" ? automatic_strategy(placed) : strategy);
  if (!found)
    refuse(fmt::format("reordering: strategy '{}' does not fit this neighborhood on '{}' "
                       "(expected another, such as best)",
                       strategy, to_string(placed.tree)));
  return order_of(*found, placed);
}

/// Names in a report, a line for each, and its numbers.
std::string names_in(reordering_report const& report) {
  std::string lines = report.machine + '\n' + report.strategy + '\n';
  for (level_cost const& of : report.before)
    lines += of.level + '\n';
  return lines;
}

std::vector<std::int64_t> numbers_in(reordering_report const& report) {
  std::vector<std::int64_t> numbers{report.num_moved};
  for (mapping_cost const* cost : {&report.before, &report.after})
    for (level_cost const& of : *cost)
      numbers.insert(numbers.end(), {of.volume.sum, of.volume.worst});
  return numbers;
}

/// A report with these names, whose numbers are 0.
reordering_report report_with(std::string const& names) {
  reordering_report report;
  std::istringstream lines(names);
  std::getline(lines, report.machine);
  std::getline(lines, report.strategy);
  for (std::string level; std::getline(lines, level);)
    report.before.push_back({level, {}});
  report.after = report.before;
  return report;
}

/// Copies the root's report to all ranks.
/// Collective: over `over`.
void broadcast(mpi::comm_view over, reordering_report& report) {
  std::string names = names_in(report);
  mpi::bcast(over, names, root);
  if (over.rank() != root)
    report = report_with(names);
  auto numbers = numbers_in(report);
  mpi::bcast(over, std::span(numbers), root);
  auto next = numbers.begin();
  report.num_moved = static_cast<int>(*next++);
  for (mapping_cost* cost : {&report.before, &report.after})
    for (level_cost& of : *cost) {
      of.volume.sum = *next++;
      of.volume.worst = *next++;
    }
}

} // namespace

std::string strategy_named(mpi::comm_view over, reordering const& how) {
  require_same(over, "reordering: strategy",
               fmt::format("{}, placed {}", how.strategy,
                           how.placed ? to_string(how.placed->tree) : "gathered"));
  collectively(over, [&] {
    if (!how.placed)
      return;
    auto const& [tree, ranks2places, hosts, bindings, words] = *how.placed;
    if (std::ssize(ranks2places) != over.size() || tree.num_places() != over.size())
      refuse(
          fmt::format("reordering: placed for {} ranks on {} places, {} ranks there (expected as "
                      "many)",
                      ranks2places.size(), tree.num_places(), over.size()));
    static_cast<void>(inverse_permutation(ranks2places));
  });
  if (how.strategy != "automatic")
    return how.strategy;
  std::string named;
  if (char const* const given = std::getenv("SEAM_REORDERING");
      over.rank() == root && given != nullptr)
    named = given;
  mpi::bcast(over, named, root);
  return named.empty() ? how.strategy : named;
}

planned_order plan_on_root(mpi::comm_view over, reordering const& how, std::string const& strategy,
                           problem_maker const& make_problem) {
  auto const gathered = how.placed ? std::nullopt : gather_placement(over, root);
  auto all = collectively(over, [&] {
    return over.rank() == root
               ? find_order(how.placed ? *how.placed : *gathered, strategy, make_problem)
               : whole_order();
  });
  broadcast(over, all.report);
  return {mpi::scatter(over, all.changes, root), std::move(all.report)};
}

planned_order plan_jointly(mpi::comm_view over, reordering const& how, Topology const& topology) {
  auto const placed = how.placed ? *how.placed : gather_placement(over);
  auto all = order_of(map_ranks_jointly(over, topology, placed), placed);
  return {all.changes[over.rank()], std::move(all.report)};
}

namespace {

constexpr int tag = 0;

/// Sends `sent` to the process that has this process's old rank from now on, and receives the list
/// of the process whose rank this one gets.
/// Collective: over `over`.
std::vector<int> exchange_lists(mpi::comm_view over, std::vector<int> const& sent,
                                rank_change own) {
  int const to = own.successor, from = own.new_rank;
  call_scope const here("an exchange of edges", over);
  mpi::requests messages;
  messages.add(mpi::start_send(over, std::as_bytes(std::span(sent)), to, tag));
  auto const found = mpi::wait_for_message(over, from, tag);
  std::vector<int> received(found.bytes / sizeof(int));
  messages.add(mpi::start_receive(over, std::as_writable_bytes(std::span(received)), from, tag));
  messages.wait();
  return received;
}

std::vector<int> flat(std::span<edge const> edges) {
  std::vector<int> numbers;
  for (edge const& listed : edges)
    numbers.insert(numbers.end(), {listed.rank, listed.weight});
  return numbers;
}

std::vector<edge> edges_in(std::vector<int> const& numbers) {
  std::vector<edge> edges;
  for (int i = 0; i < std::ssize(numbers); i += 2)
    edges.push_back({numbers[i], numbers[i + 1]});
  return edges;
}

} // namespace

Communicator permuted(Communicator const& over, rank_change own) {
  return Communicator::from_native(mpi::split(over.context(), 0, own.new_rank).release());
}

Topology handed_over(mpi::comm_view over, Topology const& topology, rank_change own) {
  auto sources = edges_in(exchange_lists(over, flat(topology.sources()), own));
  return topology.with_edges(std::move(sources),
                             edges_in(exchange_lists(over, flat(topology.destinations()), own)));
}

} // namespace seam::detail
