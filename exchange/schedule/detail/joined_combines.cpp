#include <seam/exchange/schedule/detail/joined_combines.hpp>

#include <utility>

namespace seam::detail {
namespace {

/// The one row that a step reads, and the one that it combines it with.
struct row_pair {
  block const& from;
  target const& into;
};

/// Distances from the rows of one step to those of another. [bytes]
struct distances {
  std::int64_t from, into;
  friend bool operator==(distances const&, distances const&) = default;
};

class joiner {
public:
  explicit joiner(schedule& plan) : plan_(plan) {}

  /// The number of steps from step `first` on that make one: at least 1.
  int count_from(int first) const {
    auto const size = static_cast<int>(plan_.combines.size());
    if (first + 1 == size || !can_join(first, first + 1))
      return 1;
    distances const apart = between(first, first + 1);
    int next = first + 2;
    while (next < size && can_join(next - 1, next) && between(next - 1, next) == apart)
      ++next;
    return next - first;
  }

  /// A step with the rows of `count` steps, more than one.
  combine_step join(int first, int count) {
    auto const [from_step, into_step] = between(first, first + 1);
    block from = rows_of(first).from;
    target into = rows_of(first).into;
    from.rows = into.where.rows = {1, count};
    from.stride = {0, from_step};
    into.where.stride = {0, into_step};
    auto const source = static_cast<int>(plan_.sources.size());
    auto const place = static_cast<int>(plan_.targets.size());
    plan_.sources.push_back(from);
    plan_.targets.push_back(std::move(into));
    return {.round = plan_.combines[first].round,
            .wire_offset = 0,
            .sources = {source, source + 1},
            .targets = {place, place + 1}};
  }

private:
  row_pair rows_of(int step) const {
    combine_step const& of = plan_.combines[step];
    return {plan_.sources[of.sources.begin], plan_.targets[of.targets.begin]};
  }

  bool has_one_row(int step) const {
    combine_step const& of = plan_.combines[step];
    if (of.sources.size() != 1 || of.targets.size() != 1)
      return false;
    auto const [from, into] = rows_of(step);
    return from.is_contiguous() && into.where.is_contiguous() &&
           from.row_bytes == into.where.row_bytes;
  }

  bool can_join(int step, int next) const {
    if (!has_one_row(step) || !has_one_row(next))
      return false;
    auto const rows = rows_of(step), next_rows = rows_of(next);
    return plan_.combines[step].round == plan_.combines[next].round &&
           rows.from.row_bytes == next_rows.from.row_bytes &&
           rows.into.combine == next_rows.into.combine;
  }

  distances between(int step, int next) const {
    auto const rows = rows_of(step), next_rows = rows_of(next);
    return {next_rows.from.first - rows.from.first,
            next_rows.into.where.first - rows.into.where.first};
  }

  schedule& plan_;
};

} // namespace

void join_combines(schedule& plan) {
  joiner all(plan);
  std::vector<combine_step> joined;
  int count = 0;
  for (int step = 0; step < std::ssize(plan.combines); step += count) {
    count = all.count_from(step);
    joined.push_back(count > 1 ? all.join(step, count) : plan.combines[step]);
  }
  plan.combines = std::move(joined);
}

} // namespace seam::detail
