#include <seam/mesh/partition/migrate.hpp>

#include <seam/exchange/agreement/agreement.hpp>
#include <seam/exchange/ground/error.hpp>
#include <seam/exchange/numbering/rendezvous.hpp>
#include <seam/exchange/waiting/detail/call_scope.hpp>

#include <fmt/format.h>

namespace seam {
using namespace detail;

namespace {

void check_destinations(std::int64_t num_records, std::span<int const> records2ranks, int size) {
  if (std::ssize(records2ranks) != num_records)
    refuse(fmt::format("migrate: {} destinations (expected one for each of {} records)",
                       records2ranks.size(), num_records));
  for (int const rank : records2ranks)
    if (rank < 0 || rank >= size)
      refuse(fmt::format("migrate: destination {} (expected a rank from 0 to {})", rank, size - 1));
}

/// A point as it is sent.
struct point_record {
  std::array<double, 3> place{};
  double weight = 1;
  global_id id = 0;
};

} // namespace

std::vector<std::byte> detail::migrate_bytes(Communicator const& over, std::int64_t record_bytes,
                                             std::span<std::byte const> records,
                                             std::span<int const> records2ranks) {
  detail::call_scope const here("migrate");
  mpi::comm_view const all = over.context();
  collectively(all, [&] {
    check_destinations(std::ssize(records) / record_bytes, records2ranks, all.size());
  });
  SparseExchange through(over);
  for (std::int64_t const r : order_by_rank(records2ranks))
    through.pack_bytes(records2ranks[r], records.subspan(r * record_bytes, record_bytes));
  through.exchange();
  std::vector<std::byte> arrived;
  while (through.receive_message()) {
    auto const message = through.unpack_bytes(through.bytes_left());
    arrived.insert(arrived.end(), message.begin(), message.end());
  }
  return arrived;
}

point_set migrate(Communicator const& over, point_cloud const& points,
                  std::span<int const> points2ranks) {
  bool const is_weighted = examine(over, points).is_weighted;
  std::vector<point_record> records(points.ids.size());
  for (local_id i = 0; i < std::ssize(records); ++i) {
    records[i].id = points.ids[i];
    for (int axis = 0; axis < points.num_dimensions; ++axis)
      records[i].place[axis] = points.coordinates[axis][i];
    if (is_weighted)
      records[i].weight = points.weights[i];
  }
  point_set arrived;
  arrived.num_dimensions = points.num_dimensions;
  for (point_record const& record :
       migrate<point_record>(over, std::span<point_record const>(records), points2ranks)) {
    arrived.ids.push_back(record.id);
    for (int axis = 0; axis < points.num_dimensions; ++axis)
      arrived.coordinates[axis].push_back(record.place[axis]);
    if (is_weighted)
      arrived.weights.push_back(record.weight);
  }
  return arrived;
}

} // namespace seam
