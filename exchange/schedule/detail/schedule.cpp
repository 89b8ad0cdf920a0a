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

/// How far steps move that are appended to a schedule: their rounds, what they refer to, and their
/// wires.
struct step_shift {
  int rounds, gates, sources, targets;
  std::int64_t bytes;

  static range moved(range r, int by) { return {r.begin + by, r.end + by}; }

  void move(send_step& step) const {
    step.gates = moved(step.gates, gates);
    step.sources = moved(step.sources, sources);
    step.wire.offset += bytes;
  }
  void move(receive_step& step) const {
    step.targets = moved(step.targets, targets);
    step.wire.offset += bytes;
  }
  void move(copy_step& step) const {
    step.gates = moved(step.gates, gates);
    step.sources = moved(step.sources, sources);
    step.targets = moved(step.targets, targets);
  }
  void move(combine_step& step) const {
    step.wire_offset += bytes;
    step.sources = moved(step.sources, sources);
    step.targets = moved(step.targets, targets);
  }
};

template <class T>
void append_list(std::vector<T>& to, std::vector<T> const& more) {
  to.insert(to.end(), more.begin(), more.end());
}

template <class Step>
void append_steps(std::vector<Step>& to, std::vector<Step> const& more, step_shift const& by) {
  for (Step step : more) {
    step.round += by.rounds;
    by.move(step);
    to.push_back(step);
  }
}

template <class T>
int size_of(std::vector<T> const& list) {
  return static_cast<int>(list.size());
}

} // namespace

void schedule::append(schedule const& then) {
  for (int step : then.arrivals)
    arrivals.push_back(step == no_step ? no_step
                       : step >= 0     ? step + size_of(receives)
                                       : step - size_of(copies));
  sources_stay = sources_stay && then.sources_stay && !have_bytes_in_common(sources, then.targets);
  overlapping = overlapping || then.overlapping;
  step_shift const by{num_rounds, size_of(gates), size_of(sources), size_of(targets),
                      staging_bytes};
  append_steps(sends, then.sends, by);
  append_steps(receives, then.receives, by);
  append_steps(copies, then.copies, by);
  append_steps(combines, then.combines, by);
  append_list(sources, then.sources);
  append_list(targets, then.targets);
  append_list(gates, then.gates);
  append_list(leaving, then.leaving);
  append_list(arriving, then.arriving);
  append_list(keeps, then.keeps);
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
