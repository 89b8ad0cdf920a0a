#include "lookups.hpp"

#include <algorithm>
#include <optional>
#include <vector>

namespace life {
namespace {

// Where a step's operands are the first, second and third value of a lookup, these are their tables.
constexpr std::array<unsigned, 3> table_of_input{0xf0, 0xcc, 0xaa};
constexpr unsigned all_cases = 0xff;

/// A way to compute a step: by a function of at most three steps before it.
struct cut {
  std::array<int, 3> inputs{}; ///< ascending
  int num_inputs = 0;
  unsigned table = 0; ///< of the inputs, as of a lookup
  double cost = 0;    ///< lookups, of which others use a share

  bool has_inputs_of(cut const& other) const {
    return num_inputs == other.num_inputs && inputs == other.inputs;
  }
};

bool is_logic(step const& of) {
  return of.what >= operation::conjunction && of.what <= operation::lookup;
}

unsigned value_of(step const& of, unsigned first, unsigned second) {
  switch (of.what) {
  case operation::conjunction: return first & second;
  case operation::exclusion: return ~first & second;
  case operation::disjunction: return first | second;
  case operation::difference: return first ^ second;
  default: return ~first;
  }
}

/// The inputs of both, if there are at most three.
std::optional<cut> joined(cut const& first, cut const& second) {
  std::array<int, 6> all{};
  auto const end =
      std::ranges::set_union(std::span(first.inputs).first(first.num_inputs),
                             std::span(second.inputs).first(second.num_inputs), all.begin())
          .out;
  auto const count = static_cast<int>(end - all.begin());
  if (count > 3)
    return {};
  cut both{.num_inputs = count};
  std::copy_n(all.begin(), count, both.inputs.begin());
  return both;
}

/// The table of `of` with the inputs of `in`, which has those of `of`.
unsigned expanded(cut const& of, cut const& in) {
  std::array<unsigned, 3> place{};
  for (int input = 0; input < of.num_inputs; ++input)
    place[input] =
        static_cast<unsigned>(std::ranges::find(in.inputs, of.inputs[input]) - in.inputs.begin());
  unsigned table = 0;
  for (unsigned k = 0; k < 8; ++k) {
    unsigned before = 0;
    for (int input = 0; input < of.num_inputs; ++input)
      before |= (k >> (2 - place[input]) & 1) << (2 - input);
    table |= (of.table >> before & 1) << k;
  }
  return table;
}

/// Chooses a cut for each step by area flow: a step's cost is shared among those that use it. How
/// many do, the choice before tells.
class mapper {
public:
  explicit mapper(logic const& program)
      : steps_(program.steps()), uses_(steps_.size()), cuts_(steps_.size()), best_(steps_.size()) {
    for (step const& each : steps_)
      for (int k = 0; k < each.num_operands(); ++k)
        ++uses_[each.operands()[k]];
  }

  logic map() {
    constexpr int num_rounds = 3;
    for (int round = 0; round < num_rounds; ++round) {
      choose();
      count_uses();
    }
    return cover();
  }

private:
  static constexpr std::size_t most_cuts = 10;

  void choose() {
    for (int number = 0; number < std::ssize(steps_); ++number) {
      cuts_[number].clear();
      if (is_logic(steps_[number]))
        add_cuts(number);
      cuts_[number].push_back({{number}, 1, table_of_input[0], shared_cost(number)});
    }
  }

  void add_cuts(int number) {
    step const& of = steps_[number];
    std::vector<cut>& found = cuts_[number];
    for (cut const& first : cuts_[of.first])
      for (cut const& second : cuts_[of.num_operands() > 1 ? of.second : of.first])
        if (auto both = joined(first, second)) {
          both->table = value_of(of, expanded(first, *both), expanded(second, *both)) & all_cases;
          both->cost = cost_of(*both);
          if (std::ranges::none_of(found, [&](cut const& c) { return c.has_inputs_of(*both); }))
            found.push_back(*both);
        }
    std::ranges::stable_sort(found, {}, &cut::cost);
    best_[number] = found.front();
    found.resize(std::min(found.size(), most_cuts));
  }

  double cost_of(cut const& of) const {
    double cost = 1;
    for (int input = 0; input < of.num_inputs; ++input)
      cost += shared_cost(of.inputs[input]);
    return cost;
  }

  double shared_cost(int number) const {
    return is_logic(steps_[number]) ? best_[number].cost / std::max(uses_[number], 1) : 0;
  }

  /// Calls visit(step) for the steps that what is chosen needs, the last one first.
  template <class Visit>
  void count_uses_of(Visit const& visit) {
    std::ranges::fill(uses_, 0);
    for (int number = static_cast<int>(std::ssize(steps_)) - 1; number >= 0; --number)
      if (steps_[number].is_output() || uses_[number] > 0)
        visit(number);
  }

  void count_uses() {
    count_uses_of([&](int number) {
      step const& of = steps_[number];
      if (is_logic(of))
        for (int input = 0; input < best_[number].num_inputs; ++input)
          ++uses_[best_[number].inputs[input]];
      else
        for (int k = 0; k < of.num_operands(); ++k)
          ++uses_[of.operands()[k]];
    });
  }

  /// The steps that are used, in their order.
  logic cover() const {
    logic made;
    std::vector<int> now(steps_.size());
    for (std::size_t number = 0; number < steps_.size(); ++number) {
      step of = steps_[number];
      if (of.is_output())
        made.add_output({of.what, now[of.first], 0, 0, of.number});
      else if (uses_[number] > 0)
        now[number] = made.add(is_logic(of) ? lookup(best_[number], now) : renamed(of, now));
    }
    return made;
  }

  static step renamed(step of, std::vector<int> const& now) {
    if (of.num_operands() > 0)
      of.first = now[of.first];
    if (of.num_operands() > 1)
      of.second = now[of.second];
    return of;
  }

  static step lookup(cut const& of, std::vector<int> const& now) {
    std::array<int, 3> inputs{};
    for (int k = 0; k < 3; ++k)
      inputs[k] = now[of.inputs[k < of.num_inputs ? k : 0]];
    return {operation::lookup, inputs[0], inputs[1], inputs[2], static_cast<int>(of.table)};
  }

  std::span<step const> steps_;
  std::vector<int> uses_;              ///< of each step
  std::vector<std::vector<cut>> cuts_; ///< of each step, the cheapest first; itself last
  std::vector<cut> best_;              ///< of each step of logic
};

} // namespace

logic in_lookups(logic const& program) { return mapper(program).map(); }

int num_lookups(logic const& program) {
  return static_cast<int>(std::ranges::count(program.steps(), operation::lookup, &step::what));
}

} // namespace life
