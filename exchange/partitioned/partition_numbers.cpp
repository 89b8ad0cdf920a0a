#include <seam/exchange/partitioned/partition_numbers.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace seam::detail {

partition_numbers::partition_numbers(std::vector<part_end> const& ends, part_size size,
                                     bool for_all)
    : for_all_(for_all) {
  for (part_end const& end : ends) {
    int const count = (end.of->*size)();
    ends_.push_back({end, for_all ? 0 : total_, count});
    total_ = for_all ? count : total_ + count;
  }
}

partition_numbers::numbered_end const* partition_numbers::find(int edge) const {
  auto const found = std::ranges::find_if(ends_, [edge](numbered_end const& listed) {
    return listed.end.edge == edge;
  });
  return found == ends_.end() ? nullptr : &*found;
}

std::string partition_numbers::edges() const {
  std::vector<int> list;
  for (numbered_end const& listed : ends_)
    if (listed.end.edge != part_end::no_edge)
      list.push_back(listed.end.edge);
  if (list.empty())
    return "none, as partitions are for all";
  return fmt::format("{}", fmt::join(list, ", "));
}

} // namespace seam::detail
