#include "experiments/experiment.hpp"

#include <seam/program.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <limits>
#include <map>

namespace guidelines {
namespace {

std::string capitalized(std::string word) {
  word[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(word[0])));
  return word;
}

/// MPI's name of an operation in a form, for example "Ialltoall".
std::string name_of(std::string const& operation, form how) {
  switch (how) {
  case form::blocking: return capitalized(operation);
  case form::nonblocking: return "I" + operation;
  case form::persistent: return capitalized(operation) + "_init";
  case form::partitioned: return "P" + operation + "_init";
  }
  return {};
}

void add_collectives(std::vector<setup>& all, family of, std::string const& before,
                     std::string const& prefix, std::vector<form> const& forms) {
  std::vector<std::string> operations{"allgather", "allgatherv", "alltoall", "alltoallv",
                                      "alltoallw"};
  if (of == family::seam)
    operations.emplace_back("allgatherw");
  for (std::string const& operation : operations)
    for (form how : forms)
      all.push_back({fmt::format("{}{}", before, name_of(prefix + operation, how)), of, operation,
                     how});
}

std::vector<setup> list_setups() {
  std::vector<form> const forms{form::blocking, form::nonblocking, form::persistent};
  std::vector<setup> all;
  add_collectives(all, family::neighbor, "", "neighbor_", forms);
  add_collectives(all, family::global, "", "", forms);
  add_collectives(all, family::seam, "Seam_", "",
                  {form::blocking, form::nonblocking, form::persistent, form::partitioned});
  all.push_back({"Create", family::create, ""});
  all.push_back({"Seam_create", family::seam_create, ""});
  all.push_back({"Work", family::work, ""});
  return all;
}

} // namespace

std::vector<setup> const& all_setups() {
  static std::vector<setup> const all = list_setups();
  return all;
}

setup const* setup_named(std::string_view name) {
  auto const found = std::ranges::find(all_setups(), name, &setup::name);
  return found == all_setups().end() ? nullptr : &*found;
}

namespace {

constexpr int most_bytes = 1 << 28, most_repetitions = 1'000'000, most_dimensions = 8,
              most_radius = 16, most_partitions = 4096;

std::map<std::string_view, int> const datatypes{
    {"MPI_BYTE", 1}, {"MPI_CHAR", 1}, {"MPI_INT", 4}, {"MPI_FLOAT", 4}, {"MPI_DOUBLE", 8}};

std::map<std::string_view, topology> const topologies{
    {"Cartesian", topology::cartesian}, {"vonNeumann", topology::von_neumann},
    {"Moore", topology::moore},         {"Full", topology::full},
    {"FullSelf", topology::full_self},  {"Complete", topology::complete}};

std::map<std::string_view, constructor> const constructors{
    {"-", constructor::none},
    {"Cart_create", constructor::cart_create},
    {"Dist_graph_create", constructor::dist_graph_create},
    {"Dist_graph_create_adjacent", constructor::dist_graph_create_adjacent}};

std::map<std::string_view, ordering> const orderings{{"-", ordering::none},
                                                     {"FMAJ", ordering::first_major},
                                                     {"LMAJ", ordering::last_major},
                                                     {"RAND", ordering::random},
                                                     {"LINEAR", ordering::linear}};

/// A number, or 0 for "-".
template <class Number = int>
Number number_or_0(std::string const& text) {
  return seam::decimal<Number>(text).value_or(0);
}

bool is_full(std::string const& topology) { return topology == "Full" || topology == "FullSelf"; }
bool is_grid(std::string const& topology) { return !is_full(topology) && topology != "Complete"; }
bool is_ball(std::string const& topology) {
  return topology == "vonNeumann" || topology == "Moore";
}

int num_prime_factors(int number) {
  int found = 0;
  for (int factor = 2; number > 1; ++factor)
    for (; number % factor == 0; number /= factor)
      ++found;
  return found;
}

using expectation = std::optional<std::string>;

expectation in_range(std::string const& text, std::int64_t least, std::int64_t most) {
  auto const value = seam::decimal<std::int64_t>(text);
  if (value && *value >= least && *value <= most)
    return std::nullopt;
  return fmt::format("a number from {} to {}", least, most);
}

/// A number in a range if the column applies, else "-".
expectation in_range_if(bool applies, char const* to_what, std::string const& text,
                        std::int64_t least, std::int64_t most) {
  if (applies)
    return in_range(text, least, most);
  return text == not_applicable ? expectation() : fmt::format("-, as {}", to_what);
}

expectation one_of(std::string const& text, std::vector<std::string_view> const& known) {
  if (std::ranges::find(known, text) != known.end())
    return std::nullopt;
  return fmt::format("{}{}", known.size() == 1 ? "" : "one of ", fmt::join(known, ", "));
}

expectation a_setup(std::string const& text) {
  if (setup_named(text) != nullptr)
    return std::nullopt;
  return "a setup such as Neighbor_alltoall, Ialltoall, Seam_Alltoall_init or Create";
}

expectation a_length(levels const& all) {
  if (auto wrong = in_range(all[bytes_column], 0, most_bytes))
    return wrong;
  int const each = bytes_of(all[datatype_column]);
  return number_or_0(all[bytes_column]) % each == 0
             ? expectation()
             : fmt::format("a multiple of {}, the bytes of an {}", each, all[datatype_column]);
}

expectation a_number_of_partitions(levels const& all) {
  bool const applies = setup_named(all[setup_column])->how == form::partitioned;
  if (auto wrong = in_range_if(applies, "this setup has no partitions", all[partitions_column], 1,
                               most_partitions))
    return wrong;
  int const count = number_or_0(all[bytes_column]) / bytes_of(all[datatype_column]);
  if (!applies || count % number_or_0(all[partitions_column]) == 0)
    return std::nullopt;
  return fmt::format("a number that divides the {} elements of a block", count);
}

/// Complete communicators are for calls among all processes.
expectation a_topology(levels const& all) {
  if (auto wrong = one_of(all[topology_column],
                          {"Cartesian", "vonNeumann", "Moore", "Full", "FullSelf", "Complete"}))
    return wrong;
  family const of = setup_named(all[setup_column])->of;
  bool const needs_edges =
      of == family::neighbor || of == family::create || of == family::seam_create;
  if (needs_edges && all[topology_column] == "Complete")
    return "a topology with edges, as " + all[setup_column] + " follows them";
  return std::nullopt;
}

expectation a_constructor(levels const& all) {
  std::string const& around = all[topology_column];
  if (around == "Complete")
    return one_of(all[constructor_column], {not_applicable});
  if (around == "Cartesian")
    return one_of(all[constructor_column], {"Cart_create"});
  return one_of(all[constructor_column], {"Dist_graph_create", "Dist_graph_create_adjacent"});
}

expectation a_number_of_dimensions(levels const& all, int num_processes) {
  bool const applies = is_grid(all[topology_column]);
  if (auto wrong = in_range_if(applies, "this topology has no grid", all[dimensions_column], 1,
                               most_dimensions))
    return wrong;
  int const most = std::max(num_prime_factors(num_processes), 1);
  if (!applies || num_processes == 0 || number_or_0(all[dimensions_column]) <= most)
    return std::nullopt;
  return fmt::format("at most {}, the number of prime factors of {} processes", most,
                     num_processes);
}

expectation an_ordering(levels const& all) {
  std::string const& around = all[topology_column];
  if (is_ball(around))
    return one_of(all[ordering_column], {"FMAJ", "LMAJ", "RAND"});
  if (is_full(around))
    return one_of(all[ordering_column], {"LINEAR", "RAND"});
  return one_of(all[ordering_column], {not_applicable});
}

expectation a_reorder_flag(levels const& all) {
  if (all[topology_column] == "Complete")
    return one_of(all[reorder_column], {not_applicable});
  return one_of(all[reorder_column], {"0", "1"});
}

expectation expected_of(column which, levels const& all, int num_processes) {
  std::string const& text = all[which];
  constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
  switch (which) {
  case setup_column: return a_setup(text);
  case datatype_column:
    return one_of(text, {"MPI_BYTE", "MPI_CHAR", "MPI_INT", "MPI_FLOAT", "MPI_DOUBLE"});
  case bytes_column: return a_length(all);
  case partitions_column: return a_number_of_partitions(all);
  case repetitions_column: return in_range(text, 1, most_repetitions);
  case work_column: return in_range(text, 0, most);
  case topology_column: return a_topology(all);
  case constructor_column: return a_constructor(all);
  case dimensions_column: return a_number_of_dimensions(all, num_processes);
  case finite_column:
    return in_range_if(is_grid(all[topology_column]), "this topology has no grid", text, 0,
                       number_or_0(all[dimensions_column]));
  case radius_column:
    return in_range_if(is_ball(all[topology_column]), "this topology has no radius", text, 1,
                       most_radius);
  case ordering_column: return an_ordering(all);
  case seed_column:
    return in_range_if(all[ordering_column] == "RAND", "this ordering has no seed", text, 0, most);
  case reorder_column: return a_reorder_flag(all);
  case num_columns: break;
  }
  return std::nullopt;
}

} // namespace

std::optional<level_problem> problem_with(levels const& experiment, int num_processes) {
  // A column's check reads columns that have been checked before.
  for (int which = 0; which < num_columns; ++which)
    if (auto expected = expected_of(static_cast<column>(which), experiment, num_processes))
      return level_problem{static_cast<column>(which), *expected};
  return std::nullopt;
}

levels compared_levels(levels experiment) {
  experiment[repetitions_column] = experiment[seed_column] = not_applicable;
  return experiment;
}

std::string line_of(levels const& experiment) {
  return fmt::format("{}", fmt::join(experiment, ","));
}

experiment experiment_of(levels const& words) {
  return {.call = setup_named(words[setup_column]),
          .datatype = words[datatype_column],
          .bytes = number_or_0(words[bytes_column]),
          .partitions = number_or_0(words[partitions_column]),
          .repetitions = number_or_0(words[repetitions_column]),
          .work = number_or_0<std::uint64_t>(words[work_column]),
          .around = topologies.at(words[topology_column]),
          .made_by = constructors.at(words[constructor_column]),
          .dimensions = number_or_0(words[dimensions_column]),
          .finite = number_or_0(words[finite_column]),
          .radius = number_or_0(words[radius_column]),
          .order = orderings.at(words[ordering_column]),
          .seed = number_or_0<std::uint64_t>(words[seed_column]),
          .reorder = words[reorder_column] == "1"};
}

int bytes_of(std::string_view datatype) {
  auto const found = datatypes.find(datatype);
  return found == datatypes.end() ? 0 : found->second;
}

} // namespace guidelines
