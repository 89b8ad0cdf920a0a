#include <seam/exchange/transport/mixed/mixed.hpp>

#include <algorithm>

namespace seam::detail {
namespace {

/// Some of the steps, and the transport that carries them.
struct part {
  std::unique_ptr<schedule> steps;  ///< stays where it is, since the carrier refers to it
  std::vector<int> receives_before; ///< [receive steps of all + 1] steps of this part before each
  std::vector<int> receives;        ///< [receive steps here] among those of all
  std::unique_ptr<transport> carrier;
};

part make_part(schedule const& all, std::byte* staging, carried_steps const& carried) {
  part made;
  made.steps = std::make_unique<schedule>(part_of(all, carried.chosen));
  made.receives_before.push_back(0);
  for (int r = 0; r < std::ssize(all.receives); ++r) {
    if (carried.chosen.receives[r])
      made.receives.push_back(r);
    made.receives_before.push_back(static_cast<int>(made.receives.size()));
  }
  made.carrier = carried.make(*made.steps, staging);
  return made;
}

class mixed_transport final : public transport {
public:
  mixed_transport(schedule const& all, std::byte* staging, std::span<carried_steps const> parts)
      : sends_(all.sends.size()), arrived_(all.receives.size()) {
    for (carried_steps const& carried : parts) {
      part const& made = parts_.emplace_back(make_part(all, staging, carried));
      for (int s = 0, k = 0; s < std::ssize(sends_); ++s)
        if (carried.chosen.sends[s])
          sends_[s] = {made.carrier.get(), k++};
    }
  }

  void begin() override {
    for (part const& some : parts_)
      some.carrier->begin();
  }
  void expect(int first, int last) override {
    for (part const& some : parts_)
      some.carrier->expect(some.receives_before[first], some.receives_before[last]);
  }
  void send(int step) override {
    auto const [carrier, own_step] = sends_[step];
    carrier->send(own_step);
  }
  std::span<int const> arrivals() override {
    std::ptrdiff_t count = 0;
    for (part const& some : parts_)
      for (int step : some.carrier->arrivals())
        arrived_[count++] = some.receives[step];
    return std::span(arrived_).first(count);
  }
  bool all_sent() override {
    return std::ranges::all_of(parts_, [](part const& some) { return some.carrier->all_sent(); });
  }
  void give_up() noexcept override {
    for (part const& some : parts_)
      some.carrier->give_up();
  }

private:
  struct sender {
    transport* carrier;
    int step; ///< in its part
  };

  std::vector<part> parts_;
  std::vector<sender> sends_; ///< [send steps of all]
  std::vector<int> arrived_;  ///< memory of the result of arrivals()
};

} // namespace

bool has_any(step_choice const& chosen) {
  return std::ranges::count(chosen.sends, true) + std::ranges::count(chosen.receives, true) > 0;
}

bool has_all(step_choice const& chosen) {
  return std::ranges::count(chosen.sends, false) + std::ranges::count(chosen.receives, false) == 0;
}

step_choice steps_with(schedule const& all, std::function<bool(int, std::int64_t)> const& wanted) {
  step_choice chosen;
  for (send_step const& step : all.sends)
    chosen.sends.push_back(wanted(step.peer, step.wire.bytes));
  for (receive_step const& step : all.receives)
    chosen.receives.push_back(wanted(step.peer, step.wire.bytes));
  return chosen;
}

schedule part_of(schedule const& all, step_choice const& chosen) {
  schedule some = all;
  auto const keep = [](auto& steps, std::vector<bool> const& wanted) {
    int k = 0;
    std::erase_if(steps, [&](auto const&) { return !wanted[k++]; });
  };
  keep(some.sends, chosen.sends);
  keep(some.receives, chosen.receives);
  return some;
}

std::unique_ptr<transport> make_mixed_transport(schedule const& all, std::byte* staging,
                                                std::span<carried_steps const> parts) {
  return std::make_unique<mixed_transport>(all, staging, parts);
}

} // namespace seam::detail
