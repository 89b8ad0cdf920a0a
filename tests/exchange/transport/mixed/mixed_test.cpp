// The mixed transport hands each step to the transport that carries it, under its number there, and
// reports arrivals under their numbers in the whole.
#include <seam/exchange/transport/mixed/mixed.hpp>

#include <support/catch.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <random>
#include <set>
#include <vector>

using namespace seam;
using namespace seam::detail;

namespace {

/// What a carrier has been told. Steps are known by the memory that their wires are.
struct carrier_log {
  int num_begun = 0, num_given_up = 0;
  bool all_sent = true;
  std::vector<std::byte*> sent, expected;
};

/// Carries nothing, but notes what it is told. Each expected message arrives after a random time.
class noting_transport final : public transport {
public:
  noting_transport(schedule const& steps, carrier_log& log, unsigned seed)
      : steps_(steps), log_(log), random_(seed) {}

  void begin() override { ++log_.num_begun; }
  void expect(int first, int last) override {
    for (int step = first; step < last; ++step) {
      log_.expected.push_back(steps_.receives.at(std::size_t(step)).wire.direct);
      missing_.push_back(step);
    }
  }
  void send(int step) override {
    log_.sent.push_back(steps_.sends.at(std::size_t(step)).wire.direct);
  }
  std::span<int const> arrivals() override {
    arrived_.clear();
    std::erase_if(missing_, [this](int step) {
      bool const arrives = random_() % 3 == 0;
      if (arrives)
        arrived_.push_back(step);
      return arrives;
    });
    return arrived_;
  }
  bool all_sent() override { return log_.all_sent; }
  void give_up() noexcept override { ++log_.num_given_up; }

private:
  schedule const& steps_;
  carrier_log& log_;
  std::mt19937 random_;
  std::vector<int> missing_, arrived_;
};

/// A schedule whose k-th send and receive have the k-th of these bytes as their wires.
struct numbered_steps {
  numbered_steps(int num_sends, int num_receives)
      : sent(std::size_t(num_sends)), received(std::size_t(num_receives)) {
    for (std::byte& at : sent)
      all.sends.push_back({0, 0, {}, {}, {.offset = 0, .bytes = 1, .direct = &at}});
    for (std::byte& at : received)
      all.receives.push_back({0, 0, {}, {.offset = 0, .bytes = 1, .direct = &at}});
  }

  std::vector<std::byte> sent, received;
  schedule all;
};

/// Three carriers between which the steps of a schedule are divided at random.
struct divided_steps {
  explicit divided_steps(unsigned seed) : random(seed), steps(int(random() % 20), 15) {
    for (std::size_t s = 0; s < steps.sent.size(); ++s)
      senders.push_back(random() % logs.size());
    for (std::size_t r = 0; r < steps.received.size(); ++r)
      receivers.push_back(random() % logs.size());
    std::vector<carried_steps> parts;
    for (std::size_t carrier = 0; carrier < logs.size(); ++carrier) {
      step_choice chosen;
      for (std::size_t const sender : senders)
        chosen.sends.push_back(sender == carrier);
      for (std::size_t const receiver : receivers)
        chosen.receives.push_back(receiver == carrier);
      parts.push_back({chosen, [=, this](schedule const& some, std::byte*) {
                         return std::make_unique<noting_transport>(some, logs[carrier],
                                                                   unsigned(seed + carrier));
                       }});
    }
    mixed = make_mixed_transport(steps.all, nullptr, parts);
  }

  std::mt19937 random;
  numbered_steps steps;
  std::array<carrier_log, 3> logs;
  std::vector<std::size_t> senders, receivers; ///< the carrier of each step
  std::unique_ptr<transport> mixed;
};

} // namespace

TEST_CASE("each send goes to the transport that carries it, and to no other") {
  for (unsigned seed = 1; seed <= 100; ++seed) {
    INFO("seed " << seed);
    divided_steps tested(seed);
    for (std::size_t step = 0; step < tested.senders.size(); ++step) {
      for (carrier_log& log : tested.logs)
        log.sent.clear();
      tested.mixed->send(int(step));
      for (std::size_t carrier = 0; carrier < tested.logs.size(); ++carrier) {
        std::vector<std::byte*> expected;
        if (tested.senders[step] == carrier)
          expected.push_back(&tested.steps.sent[step]);
        CHECK(tested.logs[carrier].sent == expected);
      }
    }
  }
}

TEST_CASE("receives of a round are expected where they are carried, and arrive once") {
  for (unsigned seed = 1; seed <= 100; ++seed) {
    INFO("seed " << seed);
    divided_steps tested(seed);
    int const middle = int(tested.random() % 16), last = 15;
    std::multiset<int> arrived;
    for (auto const& [from, to] : {std::pair(0, middle), std::pair(middle, last)}) {
      tested.mixed->expect(from, to);
      while (std::ssize(arrived) < to)
        for (int const step : tested.mixed->arrivals()) {
          CHECK(step < to);
          arrived.insert(step);
        }
      CHECK(tested.mixed->arrivals().empty());
    }
    CHECK(std::set(arrived.begin(), arrived.end()).size() == arrived.size());
    for (std::size_t step = 0; step < tested.receivers.size(); ++step)
      for (std::size_t carrier = 0; carrier < tested.logs.size(); ++carrier)
        CHECK(std::ranges::count(tested.logs[carrier].expected, &tested.steps.received[step]) ==
              (tested.receivers[step] == carrier ? 1 : 0));
  }
}

TEST_CASE("all of the transports begin, end and give up together") {
  divided_steps tested(3);
  for (int epoch = 1; epoch <= 3; ++epoch) {
    tested.mixed->begin();
    for (carrier_log const& log : tested.logs)
      CHECK(log.num_begun == epoch);
  }
  CHECK(tested.mixed->all_sent());
  for (carrier_log& log : tested.logs) {
    log.all_sent = false;
    CHECK_FALSE(tested.mixed->all_sent());
    log.all_sent = true;
  }
  tested.mixed->give_up();
  for (carrier_log const& log : tested.logs)
    CHECK(log.num_given_up == 1);
}

TEST_CASE("the part of a schedule has the chosen steps in their order, and all else") {
  for (unsigned seed = 1; seed <= 100; ++seed) {
    INFO("seed " << seed);
    std::mt19937 random(seed);
    numbered_steps steps(int(random() % 10), int(random() % 10));
    steps.all.num_rounds = 7;
    for (auto& step : steps.all.sends)
      step.peer = int(random() % 4);
    for (auto& step : steps.all.receives)
      step.peer = int(random() % 4);
    auto const is_odd = [](int peer, std::int64_t) { return peer % 2 != 0; };
    auto const chosen = steps_with(steps.all, is_odd);
    auto const part = part_of(steps.all, chosen);
    std::vector<std::byte*> found, expected;
    for (auto const& step : part.sends)
      found.push_back(step.wire.direct);
    for (auto const& step : part.receives)
      found.push_back(step.wire.direct);
    for (auto const& step : steps.all.sends)
      if (step.peer % 2 != 0)
        expected.push_back(step.wire.direct);
    for (auto const& step : steps.all.receives)
      if (step.peer % 2 != 0)
        expected.push_back(step.wire.direct);
    CHECK(found == expected);
    CHECK(has_any(chosen) == !expected.empty());
    CHECK(has_all(chosen) ==
          (expected.size() == steps.all.sends.size() + steps.all.receives.size()));
    CHECK(part.num_rounds == 7);
  }
}
