#include <seam/exchange/sparse/algorithms/table.hpp>

#include <seam/exchange/communicator/shared_memory.hpp>
#include <seam/exchange/ground/error.hpp>
#include <seam/exchange/sparse/algorithms/cached.hpp>
#include <seam/exchange/sparse/algorithms/consensus.hpp>
#include <seam/exchange/sparse/algorithms/counts.hpp>
#include <seam/exchange/sparse/algorithms/two_level.hpp>
#include <seam/exchange/sparse/deliveries.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

namespace seam::detail {
namespace {

/// On more ranks `counts`, which needs an array of one element for each rank, is not tried.
constexpr int most_ranks_to_count = 1024;

template <class Algorithm>
std::unique_ptr<delivery> make(deliveries& shared) {
  return std::make_unique<Algorithm>(shared.comm());
}

std::unique_ptr<delivery> make_cached(deliveries& shared) {
  return std::make_unique<cached>(shared.comm(), shared.by(sparse_algorithm::consensus));
}

bool always(deliveries& /*shared*/) { return true; }
bool never(deliveries& /*shared*/) { return false; }

bool on_few_ranks(deliveries& shared) { return shared.comm().size() <= most_ranks_to_count; }

bool where_memory_is_shared(deliveries& /*shared*/) { return shared_memory_is_on(); }

constexpr std::array entries{
    named_algorithm{sparse_algorithm::automatic, "automatic", nullptr, never},
    named_algorithm{sparse_algorithm::consensus, "consensus", make<consensus>, always},
    named_algorithm{sparse_algorithm::counts, "counts", make<counts>, on_few_ranks},
    named_algorithm{sparse_algorithm::two_level, "two_level", make<two_level>,
                    where_memory_is_shared},
    named_algorithm{sparse_algorithm::cached, "cached", make_cached, always, true}};

constexpr auto values = [] {
  std::array<sparse_algorithm, entries.size()> all{};
  std::ranges::transform(entries, all.begin(), &named_algorithm::value);
  return all;
}();

} // namespace

std::span<named_algorithm const> named_algorithms() noexcept { return entries; }

named_algorithm const& entry_of(sparse_algorithm algorithm) {
  auto const* const found = std::ranges::find(entries, algorithm, &named_algorithm::value);
  if (found != entries.end())
    return *found;
  std::array<std::string_view, entries.size()> names;
  std::ranges::transform(entries, names.begin(), &named_algorithm::name);
  refuse(fmt::format("sparse exchange: algorithm {} (expected one of {})",
                     static_cast<int>(algorithm), fmt::join(names, ", ")));
}

} // namespace seam::detail

namespace seam {

std::span<sparse_algorithm const> sparse_algorithms() noexcept { return detail::values; }

std::string_view name_of(sparse_algorithm algorithm) { return detail::entry_of(algorithm).name; }

} // namespace seam
