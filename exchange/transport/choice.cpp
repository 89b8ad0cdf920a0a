#include <seam/exchange/transport/choice.hpp>

#include <seam/exchange/transport/matching_lengths.hpp>
#include <seam/exchange/transport/node/transports.hpp>

#include <algorithm>
#include <array>
#include <utility>

namespace seam::detail {
namespace {

/// Divides the steps of a schedule among transports.
class division {
public:
  explicit division(schedule const& all)
      : all_(&all),
        left_{std::vector<bool>(all.sends.size(), true),
              std::vector<bool>(all.receives.size(), true)},
        carriers_(all.sends.size(), "MPI") {}

  /// The schedule without the steps that a transport carries.
  schedule left() const { return part_of(*all_, left_); }

  bool has_left() const { return has_any(left_); }
  bool has_parts() const { return !parts_.empty(); }

  /// @param chosen  among the steps of left()
  void add(std::string_view name, step_choice const& chosen, transport_maker make) {
    carried_steps& part = parts_.emplace_back(carried_steps{
        {take(left_.sends, chosen.sends), take(left_.receives, chosen.receives)}, std::move(make)});
    for (int s = 0; s < std::ssize(carriers_); ++s)
      if (part.chosen.sends[s])
        carriers_[s] = name;
  }

  void add_rest(transport_maker make) { parts_.push_back({left_, std::move(make)}); }

  transport_choice result() && {
    if (parts_.size() == 1)
      return {std::move(parts_.front().make), std::move(carriers_)};
    auto mixed = [parts = std::move(parts_)](schedule const& all, std::byte* staging) {
      return make_mixed_transport(all, staging, parts);
    };
    return {std::move(mixed), std::move(carriers_)};
  }

private:
  /// Takes the `chosen` of those that are left away, and returns them among all.
  static std::vector<bool> take(std::vector<bool>& left, std::vector<bool> const& chosen) {
    std::vector<bool> taken(left.size());
    for (int s = 0, k = 0; s < std::ssize(left); ++s)
      if (left[s]) {
        taken[s] = chosen[k++];
        left[s] = !taken[s];
      }
    return taken;
  }

  schedule const* all_;
  step_choice left_;
  std::vector<std::string_view> carriers_; ///< [all.sends]
  std::vector<carried_steps> parts_;
};

/// Divides the steps of schedules among the transports of a table.
class divisions {
public:
  explicit divisions(std::span<schedule const> all) : all_(all), each_(all.begin(), all.end()) {}

  division& operator[](int k) { return each_[k]; }

  /// Lets a transport carry steps that are left. Returns true if then none are left on any rank.
  bool add(named_transport const& by, Communicator const& over) {
    auto [each, are_all] = by.operations(over, left());
    for (int k = 0; k < std::ssize(each); ++k)
      if (has_any(each[k].chosen))
        each_[k].add(by.name, each[k].chosen, std::move(each[k].make));
    return are_all;
  }

  /// The schedules without the steps that a transport carries.
  std::span<schedule const> left() {
    if (std::ranges::none_of(each_, &division::has_parts))
      return all_;
    left_.clear();
    for (division const& each : each_)
      left_.push_back(each.left());
    return left_;
  }

private:
  std::span<schedule const> all_;
  std::vector<division> each_;
  std::vector<schedule> left_;
};

} // namespace

std::span<named_transport const> all_transports() {
  static std::array const table{named_transport{"the memory of the node", steps_by_prepared_links,
                                                steps_by_call_links, starts_by_links}};
  return table;
}

std::vector<transport_choice> choose_transports(Communicator const& over,
                                                std::span<schedule const> all,
                                                std::span<transport_maker const> by_messages,
                                                std::span<named_transport const> table) {
  divisions divided(all);
  bool are_all_carried = false;
  for (named_transport const& each : table)
    if (each.operations && !are_all_carried)
      are_all_carried = divided.add(each, over);
  if (!are_all_carried)
    require_matching_lengths(over, all);
  std::vector<transport_choice> chosen;
  for (int k = 0; k < std::ssize(all); ++k) {
    if (divided[k].has_left() || !divided[k].has_parts())
      divided[k].add_rest(by_messages[k]);
    chosen.push_back(std::move(divided[k]).result());
  }
  return chosen;
}

transport_choice choose_transport(Communicator const& over, schedule const& steps,
                                  transport_maker const& by_messages) {
  return choose_transports(over, {&steps, 1}, {&by_messages, 1}).front();
}

transport_maker choose_transport_of_call(Communicator const& over, schedule const& steps,
                                         transport_maker by_messages,
                                         std::span<named_transport const> table) {
  division divided(steps);
  schedule rest;
  for (named_transport const& each : table)
    if (each.calls) {
      if (divided.has_parts())
        rest = divided.left();
      if (auto carried = each.calls(over, divided.has_parts() ? rest : steps))
        divided.add(each.name, carried->chosen, std::move(carried->make));
    }
  if (divided.has_left() || !divided.has_parts())
    divided.add_rest(std::move(by_messages));
  return std::move(divided).result().make;
}

transport_maker choose_transport_of_start(Communicator const& over, transport_maker by_messages,
                                          std::span<named_transport const> table) {
  for (named_transport const& each : table)
    if (each.starts)
      if (transport_maker carried = each.starts(over))
        return carried;
  return by_messages;
}

} // namespace seam::detail
