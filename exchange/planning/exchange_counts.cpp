#include <seam/exchange/planning/exchange_counts.hpp>

#include <seam/exchange/planning/alltoallw.hpp>
#include <seam/exchange/planning/cartesian_vectors.hpp>

#include <algorithm>
#include <map>
#include <set>

namespace seam::detail {
namespace {

/// One byte for each vector, so that volumes in bytes are numbers of blocks.
vector_bytes one_for_each(cartesian_structure const& on) {
  return vector_bytes(on.vectors.size(), 1);
}

} // namespace

exchange_counts direct_counts(cartesian_structure const& on) {
  return direct_counts(on, one_for_each(on));
}

exchange_counts direct_counts(cartesian_structure const& on, vector_bytes const& bytes) {
  struct traffic {
    int blocks = 0;
    std::int64_t bytes = 0;
  };
  std::map<grid_vector, traffic> processes;
  for (int v = 0; v < std::ssize(bytes); ++v)
    if (grid_vector const process = reduced(on, on.vectors[v]); bytes[v] > 0 && !is_zero(process)) {
      ++processes[process].blocks;
      processes[process].bytes += bytes[v];
    }
  exchange_counts sum;
  for (auto const& [process, sent] : processes) {
    sum.messages += sent.bytes <= most_merged_bytes ? 1 : sent.blocks;
    sum.volume += sent.bytes;
  }
  return sum;
}

exchange_counts direct_allgather_counts(cartesian_structure const& on) {
  std::set<grid_vector> processes;
  for (grid_vector const& v : on.vectors)
    processes.insert(reduced(on, v));
  processes.erase(grid_vector(on.extent.size()));
  auto const sent = std::ssize(processes);
  return {static_cast<int>(sent), sent, std::ssize(on.vectors) - sent};
}

exchange_counts combined_alltoall_counts(cartesian_structure const& on) {
  return combined_alltoall_counts(on, one_for_each(on));
}

exchange_counts combined_alltoall_counts(cartesian_structure const& on, vector_bytes const& bytes) {
  exchange_counts sum{.messages = num_messages(loaded_part(on, bytes).on)};
  for (int v = 0; v < std::ssize(bytes); ++v)
    sum.volume += bytes[v] * num_hops(on.vectors[v]);
  return sum;
}

exchange_counts combined_allgather_counts(cartesian_structure const& on) {
  std::set<grid_vector> const distinct(on.vectors.begin(), on.vectors.end());
  auto const own = std::ranges::count_if(on.vectors, is_zero);
  auto const copies =
      std::ssize(on.vectors) - std::ssize(distinct) - std::max<std::ptrdiff_t>(own - 1, 0);
  return {num_messages(on), allgather_volume(on, cheapest_order(on)), copies};
}

bool can_combine(cartesian_structure const& on) {
  return num_messages(on) < direct_counts(on).messages;
}

bool combining_pays(cartesian_structure const& on, exchange_counts const& direct,
                    exchange_counts const& combined, std::int64_t block_bytes) {
  // Cost of a byte relative to one that travels unpacked: that inside a node, where it is highest.
  constexpr double packed = 6, copied = 0.3;
  auto const seconds = [&](exchange_counts const& counts, double cost_of_sent) {
    double const volume = cost_of_sent * static_cast<double>(counts.volume) +
                          copied * static_cast<double>(counts.copied);
    return counts.messages * on.network.latency +
           volume * static_cast<double>(block_bytes) * on.network.seconds_per_byte;
  };
  return combined.messages < direct.messages && seconds(combined, packed) < seconds(direct, 1);
}

} // namespace seam::detail
