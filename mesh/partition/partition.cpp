#include <seam/mesh/partition/partition.hpp>

#include <seam/exchange/agreement/agreement.hpp>
#include <seam/exchange/ground/error.hpp>
#include <seam/exchange/waiting/detail/call_scope.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <iterator>

namespace seam {
using namespace detail;

namespace {

/// A method, its name, and the function that divides points; null if it needs a graph.
struct entry {
  partition_method value;
  std::string_view name;
  std::vector<int> (*divide)(Communicator const& over, point_cloud const& points, int num_parts);
};

constexpr std::array entries{entry{partition_method::rib, "rib", partition_by_rib},
                             entry{partition_method::rcb, "rcb", partition_by_rcb},
                             entry{partition_method::hilbert, "hilbert", partition_by_hilbert},
                             entry{partition_method::scotch, "scotch", nullptr}};

constexpr auto methods = [] {
  std::array<partition_method, entries.size()> all{};
  std::ranges::transform(entries, all.begin(), &entry::value);
  return all;
}();

/// The entry of which `field` is `key`; `said` is the key in the error line.
template <class Key, class Said>
entry const& find_entry(Key entry::*field, Key const& key, Said const& said) {
  auto const* const found = std::ranges::find(entries, key, field);
  if (found == entries.end())
    refuse(fmt::format("partition: method '{}' (expected one of {})", said,
                       fmt::join(names_of_partition_methods(), ", ")));
  return *found;
}

entry const& entry_of(partition_method method) {
  return find_entry(&entry::value, method, static_cast<int>(method));
}

} // namespace

std::span<partition_method const> partition_methods() noexcept { return methods; }

std::string_view name_of(partition_method method) { return entry_of(method).name; }

std::vector<std::string> names_of_partition_methods() {
  std::vector<std::string> names;
  for (entry const& each : entries)
    names.emplace_back(each.name);
  return names;
}

partition_method partition_method_of(std::string_view name) {
  return find_entry(&entry::name, name, name).value;
}

bool is_geometric(partition_method method) { return entry_of(method).divide != nullptr; }

std::vector<partition_method> geometric_partition_methods() {
  std::vector<partition_method> geometric;
  std::ranges::copy_if(methods, std::back_inserter(geometric), is_geometric);
  return geometric;
}

std::vector<int> partition(Communicator const& over, point_cloud const& points, int num_parts,
                           partition_method method) {
  detail::call_scope const here("partition");
  if (!is_geometric(method))
    collectively(over.context(), [&] {
      refuse(fmt::format("partition: points by {} (expected a geometric method, or a mesh)",
                         name_of(method)));
    });
  return entry_of(method).divide(over, points, num_parts);
}

} // namespace seam
