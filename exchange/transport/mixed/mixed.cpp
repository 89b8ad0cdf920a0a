#include <seam/exchange/transport/mixed/mixed.hpp>

#include <algorithm>
#include <array>

namespace seam {
namespace {

/// Some of the steps, and what carries them.
struct part {
  schedule steps;
  std::vector<int> receives_before; ///< [receive steps of all + 1] how many of the first are here
  std::vector<int> receives;        ///< [receive steps here] among those of all
  std::unique_ptr<transport> carrier;
};

class mixed_transport final : public transport {
public:
  mixed_transport(schedule const& all, std::byte* staging,
                  std::array<std::function<bool(int)>, 2> const& wanted,
                  std::array<transport_maker, 2> const& makers)
      : arrived_(all.receives.size()) {
    for (std::size_t p = 0; p < parts_.size(); ++p) {
      part& one = parts_[p];
      one.steps = steps_with(all, wanted[p]);
      one.receives_before.push_back(0);
      for (int r = 0; r < std::ssize(all.receives); ++r) {
        if (wanted[p](all.receives[static_cast<std::size_t>(r)].peer))
          one.receives.push_back(r);
        one.receives_before.push_back(static_cast<int>(one.receives.size()));
      }
      one.carrier = makers[p](one.steps, staging);
    }
    std::array<int, 2> count{};
    for (send_step const& step : all.sends) {
      std::size_t const p = wanted[0](step.peer) ? 0 : 1;
      sends_.push_back({parts_[p].carrier.get(), count[p]++});
    }
  }

  void begin() override {
    for (part& one : parts_)
      one.carrier->begin();
  }
  void expect(int first, int last) override {
    for (part& one : parts_)
      one.carrier->expect(one.receives_before[static_cast<std::size_t>(first)],
                          one.receives_before[static_cast<std::size_t>(last)]);
  }
  void send(int step) override {
    auto const [carrier, own_step] = sends_[static_cast<std::size_t>(step)];
    carrier->send(own_step);
  }
  std::span<int const> arrivals() override {
    std::size_t count = 0;
    for (part const& one : parts_)
      for (int step : one.carrier->arrivals())
        arrived_[count++] = one.receives[static_cast<std::size_t>(step)];
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
  std::vector<int> arrived_;  ///< room for arrivals()
};

} // namespace

schedule steps_with(schedule const& all, std::function<bool(int)> const& wanted) {
  schedule some = all;
  auto const is_unwanted = [&](auto const& step) { return !wanted(step.peer); };
  std::erase_if(some.sends, is_unwanted);
  std::erase_if(some.receives, is_unwanted);
  return some;
}

std::unique_ptr<transport> make_mixed_transport(schedule const& all, std::byte* staging,
                                                std::function<bool(int)> const& is_near,
                                                transport_maker const& near,
                                                transport_maker const& far) {
  std::function<bool(int)> const is_far = [&](int peer) { return !is_near(peer); };
  return std::make_unique<mixed_transport>(all, staging, std::array{is_near, is_far},
                                           std::array{near, far});
}

} // namespace seam
