#include <seam/exchange/schedule/detail/schedule.hpp>

#include <algorithm>

namespace seam::detail {
namespace {

template <class T>
bool holds(std::vector<T> const& all, range r) {
  return 0 <= r.begin && r.begin <= r.end && r.end <= std::ssize(all);
}

/// Every step's round exists, and rounds never fall from a step to the next.
template <class Step>
bool rounds_ascend(std::vector<Step> const& steps, int num_rounds) {
  auto const in_range = [&](Step const& s) { return 0 <= s.round && s.round < num_rounds; };
  return std::ranges::all_of(steps, in_range) && std::ranges::is_sorted(steps, {}, &Step::round);
}

/// Bytes that follow each other in memory.
struct interval {
  std::byte const *begin, *end;
};

void add_rows(block const& source, std::vector<interval>& to) {
  for (std::int64_t i = 0; i < source.rows[0]; ++i)
    for (std::int64_t j = 0; j < source.rows[1]; ++j) {
      std::byte const* const row = source.first + i * source.stride[0] + j * source.stride[1];
      to.push_back({row, row + source.row_bytes});
    }
}

bool have_bytes_in_common(std::vector<block> const& sources, std::vector<target> const& targets) {
  std::vector<interval> read, written;
  for (block const& source : sources)
    add_rows(source, read);
  for (target const& into : targets)
    add_rows(into.where, written);
  std::ranges::sort(read, {}, &interval::begin);
  std::ranges::sort(written, {}, &interval::begin);
  auto other = written.begin();
  for (interval const& row : read) {
    while (other != written.end() && other->end <= row.begin)
      ++other;
    if (other != written.end() && other->begin < row.end)
      return true;
  }
  return false;
}

} // namespace

void schedule::append(schedule const& then) {
  for (int step : then.arrivals)
    arrivals.push_back(step == no_step ? no_step
                       : step >= 0     ? step + static_cast<int>(receives.size())
                                       : step - static_cast<int>(copies.size()));
  sources_stay = sources_stay && then.sources_stay && !have_bytes_in_common(sources, then.targets);
  overlapping = overlapping || then.overlapping;
  auto const moved = [](range r, auto const& behind) {
    auto const by = static_cast<std::int32_t>(behind.size());
    return range{r.begin + by, r.end + by};
  };
  auto const add = [&](auto const& steps, auto& to, auto adapt) {
    for (auto step : steps) {
      step.round += num_rounds;
      adapt(step);
      to.push_back(step);
    }
  };
  add(then.sends, sends, [&](send_step& moving) {
    moving.gates = moved(moving.gates, gates);
    moving.sources = moved(moving.sources, sources);
    moving.wire.offset += staging_bytes;
  });
  add(then.receives, receives, [&](receive_step& moving) {
    moving.targets = moved(moving.targets, targets);
    moving.wire.offset += staging_bytes;
  });
  add(then.copies, copies, [&](copy_step& moving) {
    moving.gates = moved(moving.gates, gates);
    moving.sources = moved(moving.sources, sources);
    moving.targets = moved(moving.targets, targets);
  });
  add(then.combines, combines, [&](combine_step& moving) {
    moving.wire_offset += staging_bytes;
    moving.sources = moved(moving.sources, sources);
    moving.targets = moved(moving.targets, targets);
  });
  sources.insert(sources.end(), then.sources.begin(), then.sources.end());
  targets.insert(targets.end(), then.targets.begin(), then.targets.end());
  gates.insert(gates.end(), then.gates.begin(), then.gates.end());
  leaving.insert(leaving.end(), then.leaving.begin(), then.leaving.end());
  arriving.insert(arriving.end(), then.arriving.begin(), then.arriving.end());
  keeps.insert(keeps.end(), then.keeps.begin(), then.keeps.end());
  staging_bytes += then.staging_bytes;
  num_rounds += then.num_rounds;
  num_gates = std::max(num_gates, then.num_gates);
}

bool schedule::is_valid() const {
  auto const staged = [&](wire_span const& w) {
    return w.direct != nullptr || (w.offset >= 0 && w.offset + w.bytes <= staging_bytes);
  };
  auto const gate_exists = [&](int gate) { return 0 <= gate && gate < num_gates; };
  auto const send_fits = [&](send_step const& s) {
    return holds(gates, s.gates) && holds(sources, s.sources) && staged(s.wire);
  };
  auto const receive_fits = [&](receive_step const& s) {
    return holds(targets, s.targets) && staged(s.wire);
  };
  auto const copy_fits = [&](copy_step const& s) {
    return holds(gates, s.gates) && holds(sources, s.sources) && holds(targets, s.targets) &&
           s.sources.size() == s.targets.size();
  };
  auto const combine_fits = [&](combine_step const& s) {
    return holds(sources, s.sources) && holds(targets, s.targets);
  };
  return rounds_ascend(sends, num_rounds) && rounds_ascend(receives, num_rounds) &&
         rounds_ascend(copies, num_rounds) && rounds_ascend(combines, num_rounds) &&
         std::ranges::all_of(gates, gate_exists) && std::ranges::all_of(sends, send_fits) &&
         std::ranges::all_of(receives, receive_fits) && std::ranges::all_of(copies, copy_fits) &&
         std::ranges::all_of(combines, combine_fits);
}

} // namespace seam::detail
