/// The numbers of partitions: a partitioned operation numbers the partitions of all its parts that
/// leave, and those that arrive, through.
#pragma once

#include <seam/exchange/partitioned/detail/part.hpp>
#include <seam/exchange/partitioned/partitioned_operation.hpp>

#include <algorithm>
#include <string>
#include <vector>

namespace seam::detail {

/// Numbers the partitions that leave, or those that arrive. Immutable.
class partition_numbers {
public:
  using part_size = int (part::*)() const;

  /// @param size     the number of partitions of a part
  /// @param for_all  all ends have the same partitions, which are numbered once
  partition_numbers(std::vector<part_end> const& ends, part_size size, bool for_all);

  /// One end with the numbers of its partitions: `count` from `first` on.
  struct numbered_end {
    part_end end;
    int first, count;
  };

  int total() const noexcept { return total_; }

  /// The end of `edge`, or nullptr.
  numbered_end const* find(int edge) const;

  /// Calls visit(part, first, last) with the own numbers of the partitions of each part that
  /// [first, last) contains, until it returns a partition instead of -1. Returns the number of this
  /// partition, or -1.
  template <class Visit>
  int for_each_part(int first, int last, Visit visit) const {
    for (auto end = for_all_ ? ends_.begin() : end_with(first); end != ends_.end(); ++end) {
      if (end->first >= last)
        break;
      int const from = std::max(first - end->first, 0);
      int const to = std::min(last - end->first, end->count);
      if (int const found = from < to ? visit(*end->end.of, from, to) : -1; found >= 0)
        return end->first + found;
    }
    return -1;
  }

  /// The edges of all ends, for errors: "0, 1, 3".
  std::string edges() const;

private:
  /// The last end that begins at or before `partition`.
  std::vector<numbered_end>::const_iterator end_with(int partition) const {
    auto const behind = std::ranges::upper_bound(ends_, partition, {}, &numbered_end::first);
    return behind == ends_.begin() ? behind : behind - 1;
  }

  std::vector<numbered_end> ends_;
  int total_ = 0;
  bool for_all_;
};

} // namespace seam::detail
