/// Settings of partitioned operations: what users know and seam cannot.
#pragma once

#include <optional>

namespace seam {

/// How a partitioned operation may be carried out. The defaults are always right.
///
/// The assertions are those of [Holmes2021] sec. V. One that says that partition counts match lets
/// a collective's initialization return without waiting for the other ends of its edges. Checked
/// mode waits, and finds what is not as asserted.
struct partitioned_settings {
  /// Messages in which the partitions of each edge leave, which then wait for the others of their
  /// message: 1 to the number of partitions, and to 4092. Nothing: as observed (see
  /// aggregation.hpp), in 4092 at most, over which more partitions are distributed. Where the MPI
  /// library has few tags and many channels are open, there may be fewer messages.
  std::optional<int> messages{};

  /// MPIX_PBCAST_ROOT_PART_UNKNOWN: leaves do not know into what the root cuts its buffer. The
  /// initialization has to find out, whatever else is asserted.
  bool root_partitions_are_unknown = false;

  /// MPIX_PBCAST_LEAVES_ALL_PART_SAME: all leaves cut their buffers alike.
  bool leaves_are_alike = false;

  /// MPIX_EACH_PARTITION_PAIR_SAME: both ends of each edge have as many partitions.
  bool pairs_are_alike = false;

  /// MPIX_ALL_SEND_PARTITIONS_SAME, MPIX_ALL_RECV_PARTITIONS_SAME: all sending, and all receiving
  /// ends have as many.
  bool senders_are_alike = false, receivers_are_alike = false;
};

} // namespace seam
