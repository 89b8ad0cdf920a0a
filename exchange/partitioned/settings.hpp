/// Settings of partitioned operations: facts that the user knows and seam does not.
#pragma once

#include <optional>

namespace seam {

/// Directions for carrying out a partitioned operation. The defaults are always right.
///
/// The assertions are those of [Holmes2021] sec. V. If partition counts are asserted to match, the
/// initialization of a collective may return without waiting for the other ends of its edges.
/// Checked mode waits, and finds false assertions.
struct partitioned_settings {
  /// Number of messages in which the partitions of each edge leave: 1 to the number of partitions,
  /// at most 4092. Partitions then wait for the others of their message. Empty: seam decides by
  /// observation (see aggregation.hpp), and divides more than 4092 partitions among 4092 messages.
  /// Where the MPI library has few tags and many channels are open, there may be fewer messages.
  std::optional<int> messages{};

  /// MPIX_PBCAST_ROOT_PART_UNKNOWN: the leaves do not know how many partitions the root has. The
  /// initialization then finds out, whatever else is asserted.
  bool root_partitions_are_unknown = false;

  /// MPIX_PBCAST_LEAVES_ALL_PART_SAME: all leaves have the same number of partitions.
  bool leaves_are_alike = false;

  /// MPIX_EACH_PARTITION_PAIR_SAME: both ends of each edge have the same number of partitions.
  bool pairs_are_alike = false;

  /// MPIX_ALL_SEND_PARTITIONS_SAME, MPIX_ALL_RECV_PARTITIONS_SAME: all sending ends, and all
  /// receiving ends, have the same number of partitions.
  bool senders_are_alike = false, receivers_are_alike = false;
};

} // namespace seam
