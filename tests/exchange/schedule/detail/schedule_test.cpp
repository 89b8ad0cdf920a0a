// Schedules: what is valid, and one schedule behind another.
#include <seam/exchange/schedule/detail/schedule.hpp>
#include <seam/exchange/schedule/schedule_writer.hpp>

#include <support/catch.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <functional>
#include <random>
#include <string>
#include <vector>

using namespace seam;
using namespace seam::detail;

namespace {

/// Writes schedules of random steps between blocks of two arrays.
class random_writer : private schedule_writer {
public:
  explicit random_writer(unsigned seed) : random_(seed) {}

  schedule write(std::vector<std::byte>& from, std::vector<std::byte>& into) {
    plan_.num_rounds = 1 + number_below(3);
    plan_.num_gates = 1 + number_below(3);
    for (int round = 0; round < plan_.num_rounds; ++round)
      for (int step = number_below(5); step > 0; --step)
        add_step(round, from, into);
    return plan_;
  }

private:
  int number_below(int end) { return static_cast<int>(random_() % unsigned(end)); }

  std::vector<block> blocks_in(std::vector<std::byte>& array, int count) {
    std::vector<block> blocks;
    for (int b = 0; b < count; ++b)
      blocks.push_back({.first = array.data() + number_below(int(array.size()) - 8),
                        .row_bytes = 1 + number_below(8)});
    return blocks;
  }

  range gates() {
    int const begin = int(plan_.gates.size());
    for (int gate = 0; gate < plan_.num_gates; ++gate)
      if (number_below(2) == 0)
        plan_.gates.push_back(gate);
    return {begin, int(plan_.gates.size())};
  }

  static std::int64_t bytes_of(std::vector<block> const& blocks) {
    std::int64_t bytes = 0;
    for (block const& each : blocks)
      bytes += each.bytes();
    return bytes;
  }

  void add_step(int round, std::vector<std::byte>& from, std::vector<std::byte>& into) {
    int const count = number_below(4);
    auto const sources = blocks_in(from, count), targets = blocks_in(into, count);
    switch (number_below(4)) {
    case 0:
      plan_.sends.push_back({.round = round,
                             .peer = number_below(4),
                             .gates = gates(),
                             .sources = append_sources(sources),
                             .wire = wire_of(sources, bytes_of(sources))});
      return;
    case 1:
      plan_.receives.push_back({.round = round,
                                .peer = number_below(4),
                                .targets = append_targets(targets),
                                .wire = staged(bytes_of(targets))});
      return;
    case 2:
      plan_.copies.push_back({.round = round,
                              .gates = gates(),
                              .sources = append_sources(sources),
                              .targets = append_targets(targets)});
      return;
    default:
      plan_.combines.push_back({.round = round,
                                .wire_offset = staged(8).offset,
                                .sources = append_sources(sources),
                                .targets = append_targets(targets)});
      return;
    }
  }

  std::mt19937 random_;
};

/// A step with all that it refers to, for comparisons.
struct resolved_step {
  char kind;
  int round, peer = -1;
  std::vector<int> gates{};
  std::vector<std::byte const*> sources{}, targets{};
  std::int64_t wire = 0; ///< offset, or -1

  friend bool operator==(resolved_step const&, resolved_step const&) = default;
};

class resolver {
public:
  /// @param round, wire  of the first round, and of the first byte of the staging buffer
  resolver(schedule const& of, int round, std::int64_t wire)
      : of_(of), round_(round), wire_(wire) {}

  resolved_step operator()(send_step const& s) const {
    return {'s', s.round + round_, s.peer, gates(s.gates), sources(s.sources), {}, wire(s.wire)};
  }
  resolved_step operator()(receive_step const& s) const {
    return {'r', s.round + round_, s.peer, {}, {}, targets(s.targets), wire(s.wire)};
  }
  resolved_step operator()(copy_step const& s) const {
    return {'c', s.round + round_, -1, gates(s.gates), sources(s.sources), targets(s.targets), 0};
  }
  resolved_step operator()(combine_step const& s) const {
    return {'m',
            s.round + round_,
            -1,
            {},
            sources(s.sources),
            targets(s.targets),
            s.wire_offset + wire_};
  }

private:
  std::int64_t wire(wire_span const& w) const {
    return w.direct != nullptr ? -1 : w.offset + wire_;
  }
  std::vector<int> gates(range r) const {
    auto const found = of_.gates_of(r);
    return {found.begin(), found.end()};
  }
  std::vector<std::byte const*> sources(range r) const {
    std::vector<std::byte const*> found;
    for (block const& each : of_.sources_of(r))
      found.push_back(each.first);
    return found;
  }
  std::vector<std::byte const*> targets(range r) const {
    std::vector<std::byte const*> found;
    for (target const& each : of_.targets_of(r))
      found.push_back(each.where.first);
    return found;
  }

  schedule const& of_;
  int round_;
  std::int64_t wire_;
};

/// The steps of each kind, in order.
std::vector<resolved_step> steps_of(schedule const& s, int round = 0, std::int64_t wire = 0) {
  resolver const resolve(s, round, wire);
  std::vector<resolved_step> all;
  auto const add = [&](auto const& steps) {
    std::ranges::transform(steps, std::back_inserter(all), resolve);
  };
  add(s.sends), add(s.receives), add(s.copies), add(s.combines);
  return all;
}

schedule one_of_each() {
  static std::array<std::byte, 8> memory{};
  block const all{.first = memory.data(), .row_bytes = 8};
  schedule s;
  s.sources = {all};
  s.targets = {{all}};
  s.gates = {0, 1};
  s.num_rounds = s.num_gates = 2;
  s.staging_bytes = 64;
  for (int round : {0, 1}) {
    s.sends.push_back({round, 0, {0, 2}, {0, 1}, {.offset = 0, .bytes = 8}});
    s.receives.push_back({round, 0, {0, 1}, {.offset = 56, .bytes = 8}});
    s.copies.push_back({round, {0, 1}, {0, 1}, {0, 1}});
    s.combines.push_back({round, 0, {0, 0}, {0, 1}});
  }
  return s;
}

} // namespace

TEST_CASE("a schedule with a step that refers to nothing, or comes too early, is not valid") {
  CHECK(one_of_each().is_valid());
  struct fault {
    char const* name;
    std::function<void(schedule&)> add;
  };
  std::vector<fault> const faults{
      {"a round that does not exist", [](schedule& s) { s.sends[1].round = 2; }},
      {"a negative round", [](schedule& s) { s.combines[0].round = -1; }},
      {"rounds that fall", [](schedule& s) { std::swap(s.receives[0], s.receives[1]); }},
      {"a gate that does not exist", [](schedule& s) { s.gates[1] = 2; }},
      {"a negative gate", [](schedule& s) { s.gates[0] = -1; }},
      {"gates behind the last",
       [](schedule& s) {
         s.copies[0].gates = {2, 3};
       }},
      {"sources behind the last",
       [](schedule& s) {
         s.sends[0].sources = {0, 2};
       }},
      {"a range that ends before it begins",
       [](schedule& s) {
         s.sends[0].sources = {1, 0};
       }},
      {"a negative range",
       [](schedule& s) {
         s.receives[0].targets = {-1, 0};
       }},
      {"targets behind the last",
       [](schedule& s) {
         s.combines[1].targets = {1, 2};
       }},
      {"a copy of nothing into a block",
       [](schedule& s) {
         s.copies[1].sources = {0, 0};
       }},
      {"a wire that ends outside", [](schedule& s) { s.receives[0].wire.offset = 57; }},
      {"a wire that begins outside", [](schedule& s) { s.sends[0].wire.offset = -1; }}};
  for (fault const& added : faults) {
    INFO(added.name);
    schedule s = one_of_each();
    added.add(s);
    CHECK_FALSE(s.is_valid());
  }
}

TEST_CASE("appended rounds are those of both schedules, with the blocks, gates and wires of each") {
  std::vector<std::byte> first_array(100), second_array(100);
  for (unsigned seed = 1; seed <= 200; ++seed) {
    INFO("seed " << seed);
    schedule const first = random_writer(seed).write(first_array, second_array);
    schedule const second = random_writer(seed + 1000).write(first_array, second_array);
    schedule both = first;
    both.append(second);
    CHECK(both.is_valid());
    CHECK(both.num_rounds == first.num_rounds + second.num_rounds);
    CHECK(both.num_gates == std::max(first.num_gates, second.num_gates));
    CHECK(both.staging_bytes == first.staging_bytes + second.staging_bytes);
    auto expected = steps_of(first);
    auto const behind = steps_of(second, first.num_rounds, first.staging_bytes);
    expected.insert(expected.end(), behind.begin(), behind.end());
    auto const kind_of = [](resolved_step const& step) {
      return std::string("srcm").find(step.kind);
    };
    std::ranges::stable_sort(expected, {}, kind_of);
    CHECK(steps_of(both) == expected);
  }
}

TEST_CASE("sources stay unless appended rounds write to one") {
  std::array<std::byte, 32> memory{};
  auto const block_at = [&](int first) { return block{memory.data() + first, {1, 1}, {}, 8}; };
  for (int const written : {0, 4, 8, 12, 16, 24}) {
    schedule first, second;
    first.sources = {block_at(8)};
    first.sources_stay = second.sources_stay = true;
    second.targets = {{block_at(written)}};
    first.append(second);
    INFO("bytes from " << written << " on are written");
    CHECK(first.sources_stay == (written + 8 <= 8 || written >= 16));
  }
}

TEST_CASE("the steps that bring the data of an edge are found in both schedules") {
  schedule first = one_of_each(), second = one_of_each();
  first.arrivals = {0, 1, ~0};
  second.arrivals = {1, ~1, schedule::no_step};
  first.append(second);
  CHECK(first.arrivals == std::vector<int>{0, 1, ~0, 3, ~3, schedule::no_step});
}
