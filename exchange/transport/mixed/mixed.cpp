#include <seam/exchange/transport/mixed/mixed.hpp>

#include <array>

namespace seam {
namespace {

/// Some of the steps, and the transport that carries them.
struct part {
  schedule steps;
  std::vector<int> receives_before; ///< [receive steps of all + 1] steps of this part before each
  std::vector<int> receives;        ///< [receive steps here] among those of all
  std::unique_ptr<transport> carrier;
};

class mixed_transport final : public transport {
public:
  mixed_transport(schedule const& all, std::byte* staging, std::array<step_choice, 2> const& chosen,
                  std::array<transport_maker, 2> const& makers)
      : arrived_(all.receives.size()) {
    for (std::size_t p = 0; p < parts_.size(); ++p) {
      part& half = parts_[p];
      half.steps = part_of(all, chosen[p]);
      half.receives_before.push_back(0);
      for (std::size_t r = 0; r < all.receives.size(); ++r) {
        if (chosen[p].receives[r])
          half.receives.push_back(static_cast<int>(r));
        half.receives_before.push_back(static_cast<int>(half.receives.size()));
      }
      half.carrier = makers[p](half.steps, staging);
    }
    std::array<int, 2> count{};
    for (bool const is_first : chosen[0].sends) {
      std::size_t const p = is_first ? 0 : 1;
      sends_.push_back({parts_[p].carrier.get(), count[p]++});
    }
  }

  void begin() override {
    for (part& half : parts_)
      half.carrier->begin();
  }
  void expect(int first, int last) override {
    for (part& half : parts_)
      half.carrier->expect(half.receives_before[static_cast<std::size_t>(first)],
                           half.receives_before[static_cast<std::size_t>(last)]);
  }
  void send(int step) override {
    auto const [carrier, own_step] = sends_[static_cast<std::size_t>(step)];
    carrier->send(own_step);
  }
  std::span<int const> arrivals() override {
    std::size_t count = 0;
    for (part const& half : parts_)
      for (int step : half.carrier->arrivals())
        arrived_[count++] = half.receives[static_cast<std::size_t>(step)];
    return std::span(arrived_).first(count);
  }
  bool all_sent() override {
    return parts_[0].carrier->all_sent() && parts_[1].carrier->all_sent();
  }

private:
  struct sender {
    transport* carrier;
    int step; ///< in its part
  };

  std::array<part, 2> parts_;
  std::vector<sender> sends_; ///< [send steps of all]
  std::vector<int> arrived_;  ///< memory of the result of arrivals()
};

} // namespace

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
    std::size_t k = 0;
    std::erase_if(steps, [&](auto const&) { return !wanted[k++]; });
  };
  keep(some.sends, chosen.sends);
  keep(some.receives, chosen.receives);
  return some;
}

std::unique_ptr<transport> make_mixed_transport(schedule const& all, std::byte* staging,
                                                step_choice const& chosen,
                                                transport_maker const& near,
                                                transport_maker const& far) {
  step_choice others = chosen;
  others.sends.flip();
  others.receives.flip();
  return std::make_unique<mixed_transport>(all, staging, std::array{chosen, others},
                                           std::array{near, far});
}

} // namespace seam
