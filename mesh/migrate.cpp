#include <seam/mesh/migrate.hpp>

#include <seam/exchange/agreement.hpp>
#include <seam/exchange/error.hpp>
#include <seam/exchange/mpi/collective.hpp>
#include <seam/exchange/mpi/large_count.hpp>

#include <fmt/format.h>

#include <cstring>

namespace seam {
namespace {

void check_destinations(std::size_t num_records, std::span<int const> records2ranks, int size) {
  if (records2ranks.size() != num_records)
    refuse(fmt::format("migrate: {} destinations (expected one for each of {} records)",
                       records2ranks.size(), num_records));
  for (int const rank : records2ranks)
    if (rank < 0 || rank >= size)
      refuse(fmt::format("migrate: destination {} (expected a rank from 0 to {})", rank, size - 1));
}

/// Where the blocks of ranks begin that lie one behind the other. [size + 1]
std::vector<std::int64_t> begins_of(std::span<std::int64_t const> counts) {
  std::vector<std::int64_t> begins{0};
  for (std::int64_t const count : counts)
    begins.push_back(begins.back() + count);
  return begins;
}

/// What each rank sends to this one. [size] Collective: over `over`.
std::vector<std::int64_t> exchange_counts(mpi::comm_view over,
                                          std::vector<std::int64_t> const& counts) {
  std::vector<std::int64_t> arriving(counts.size());
  mpi::check(MPI_Alltoall(counts.data(), 1, MPI_INT64_T, arriving.data(), 1, MPI_INT64_T,
                          over.native()),
             "MPI_Alltoall");
  return arriving;
}

/// The records sorted by destination, stably.
std::vector<std::byte> sort_records(std::size_t record_bytes, std::span<std::byte const> records,
                                    std::span<int const> records2ranks,
                                    std::vector<std::int64_t> places) {
  std::vector<std::byte> sorted(records.size());
  for (std::size_t r = 0; r < records2ranks.size(); ++r) {
    auto const place = static_cast<std::size_t>(places[std::size_t(records2ranks[r])]++);
    std::memcpy(sorted.data() + place * record_bytes, records.data() + r * record_bytes,
                record_bytes);
  }
  return sorted;
}

/// Sends block r of `sends` to rank r and receives block r of `receives` from it. Blocks in bytes.
void exchange_blocks(mpi::comm_view over, std::vector<std::byte> const& sends,
                     std::span<std::int64_t const> send_begins, std::vector<std::byte>& receives,
                     std::span<std::int64_t const> receive_begins) {
  constexpr int tag = 0;
  std::vector<MPI_Request> requests;
  int const rank = over.rank(), size = over.size();
  auto const each_peer = [&](std::span<std::int64_t const> begins, auto act) {
    for (int distance = 0; distance < size; ++distance) {
      int const peer = (rank + distance) % size;
      std::int64_t const begin = begins[std::size_t(peer)], end = begins[std::size_t(peer) + 1];
      if (begin < end)
        act(peer, begin, mpi::large_count(end - begin), requests.emplace_back());
    }
  };
  each_peer(receive_begins,
            [&](int peer, std::int64_t begin, mpi::large_count const& block, MPI_Request& request) {
              mpi::check(MPI_Irecv(receives.data() + begin, block.count(), block.type(), peer, tag,
                                   over.native(), &request),
                         "MPI_Irecv");
            });
  each_peer(send_begins,
            [&](int peer, std::int64_t begin, mpi::large_count const& block, MPI_Request& request) {
              mpi::check(MPI_Isend(sends.data() + begin, block.count(), block.type(), peer, tag,
                                   over.native(), &request),
                         "MPI_Isend");
            });
  mpi::check(MPI_Waitall(mpi::narrow(std::ssize(requests), "MPI_Waitall"), requests.data(),
                         MPI_STATUSES_IGNORE),
             "MPI_Waitall");
}

/// A point as it travels.
struct point_record {
  std::array<double, 3> place{};
  double weight = 1;
  global_id id = 0;
};

} // namespace

std::vector<std::byte> detail::migrate_bytes(Communicator const& over, std::size_t record_bytes,
                                             std::span<std::byte const> records,
                                             std::span<int const> records2ranks) {
  mpi::comm_view const all = over.context();
  collectively(all, [&] {
    check_destinations(records.size() / record_bytes, records2ranks, all.size());
  });
  std::vector<std::int64_t> counts(static_cast<std::size_t>(all.size()));
  for (int const rank : records2ranks)
    ++counts[static_cast<std::size_t>(rank)];
  auto const sends = sort_records(record_bytes, records, records2ranks, begins_of(counts));
  auto arriving = exchange_counts(all, counts);
  for (auto* blocks : {&counts, &arriving})
    for (std::int64_t& count : *blocks)
      count *= static_cast<std::int64_t>(record_bytes);
  auto const receive_begins = begins_of(arriving);
  std::vector<std::byte> receives(static_cast<std::size_t>(receive_begins.back()));
  exchange_blocks(all, sends, begins_of(counts), receives, receive_begins);
  return receives;
}

point_set migrate(Communicator const& over, point_cloud const& points,
                  std::span<int const> points2ranks) {
  bool const is_weighted = examine(over, points).is_weighted;
  std::vector<point_record> records(points.ids.size());
  for (std::size_t i = 0; i < records.size(); ++i) {
    records[i].id = points.ids[i];
    for (std::size_t axis = 0; axis < std::size_t(points.num_dimensions); ++axis)
      records[i].place[axis] = points.coordinates[axis][i];
    if (is_weighted)
      records[i].weight = points.weights[i];
  }
  point_set arrived;
  arrived.num_dimensions = points.num_dimensions;
  for (point_record const& one :
       migrate<point_record>(over, std::span<point_record const>(records), points2ranks)) {
    arrived.ids.push_back(one.id);
    for (std::size_t axis = 0; axis < std::size_t(points.num_dimensions); ++axis)
      arrived.coordinates[axis].push_back(one.place[axis]);
    if (is_weighted)
      arrived.weights.push_back(one.weight);
  }
  return arrived;
}

} // namespace seam
