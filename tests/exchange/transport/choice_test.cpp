// The choice of transports: the first of a table that can carry a step carries it.
#include <seam/exchange/engine/engine.hpp>
#include <seam/exchange/transport/choice.hpp>
#include <seam/exchange/transport/message/message.hpp>
#include <seam/exchange/transport/wires.hpp>

#include <support/catch.hpp>
#include <support/world.hpp>

#include <algorithm>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

using namespace seam;
using namespace seam::detail;

namespace {

/// Carries messages of a process to itself by a buffer, and counts them.
class buffer_transport final : public transport {
public:
  buffer_transport(schedule const& steps, std::byte* staging, int& count)
      : wires_(steps, staging), count_(count), buffers_(steps.sends.size()) {}

  void expect(int first, int last) override {
    for (int step = first; step < last; ++step)
      expected_.push_back(step);
  }
  void send(int step) override {
    wires_.pack(step);
    wire_span const& wire = wires_.steps().sends[std::size_t(step)].wire;
    buffers_[std::size_t(step)].assign(wires_.at(wire), wires_.at(wire) + wire.bytes);
    ++count_;
  }
  std::span<int const> arrivals() override {
    arrived_.clear();
    for (int step : expected_)
      if (auto& sent = buffers_[std::size_t(step)]; !sent.empty()) {
        wires_.put(sent.data(), wires_.steps().receives[std::size_t(step)]);
        sent.clear();
        arrived_.push_back(step);
      }
    std::erase_if(expected_, [&](int step) { return std::ranges::count(arrived_, step) > 0; });
    return arrived_;
  }
  bool all_sent() override { return true; }

private:
  wires wires_;
  int& count_;
  std::vector<std::vector<std::byte>> buffers_; ///< [send steps]
  std::vector<int> expected_, arrived_;
};

/// An exchange of a number with each process, the caller included.
struct numbers_of_all {
  explicit numbers_of_all(Communicator const& over)
      : rank(over.rank()), out(std::size_t(over.size())), in(out.size()) {
    for (int peer = 0; peer < over.size(); ++peer) {
      steps.sends.push_back({0, peer, {}, {}, wire_of(out[std::size_t(peer)])});
      steps.receives.push_back({0, peer, {}, wire_of(in[std::size_t(peer)])});
    }
  }

  static wire_span wire_of(double& number) {
    return {.offset = 0, .bytes = sizeof number, .direct = reinterpret_cast<std::byte*>(&number)};
  }

  void run(transport_maker const& make) {
    engine exchange(steps, make);
    for (int epoch = 0; epoch < 5; ++epoch) {
      for (std::size_t peer = 0; peer < out.size(); ++peer)
        out[peer] = 100 * rank + 10.0 * double(peer) + epoch;
      exchange.start();
      exchange.wait();
      for (std::size_t peer = 0; peer < in.size(); ++peer)
        CHECK(in[peer] == 100 * double(peer) + 10.0 * rank + epoch);
    }
  }

  int rank;
  std::vector<double> out, in; ///< [ranks]
  schedule steps;
};

transport_maker by_messages(Communicator const& over, int tag) {
  return [context = over.context(), tag](schedule const& steps, std::byte* staging) {
    return make_message_transport(context, tag, steps, staging);
  };
}

/// A transport for the messages of processes to themselves, which `count` counts.
named_transport to_oneself(int& count) {
  auto const carry = [&count](Communicator const& over, schedule const& left) {
    return carried_steps{
        steps_with(left, [rank = over.rank()](int peer, auto) { return peer == rank; }),
        [&count](schedule const& some, std::byte* staging) {
          return std::make_unique<buffer_transport>(some, staging, count);
        }};
  };
  return {"a plain buffer",
          [carry](Communicator const& over, std::span<schedule const> left) {
            carried_operations carried;
            for (schedule const& steps : left)
              carried.each.push_back(carry(over, steps));
            return carried;
          },
          carry,
          {}};
}

/// A transport for the messages from each process to that `distance` ranks on.
named_transport over_distance(int distance, std::string const& name, int& made) {
  auto const choose = [&made, distance](Communicator const& over, std::span<schedule const> left) {
    int const size = over.size(), rank = over.rank();
    carried_operations carried;
    for (schedule const& all : left) {
      step_choice chosen;
      for (send_step const& step : all.sends)
        chosen.sends.push_back((step.peer - rank + size) % size == distance);
      for (receive_step const& step : all.receives)
        chosen.receives.push_back((rank - step.peer + size) % size == distance);
      carried.each.push_back(
          {chosen, [&made, make = by_messages(over, 100 + distance)](auto const& some, auto* at) {
             made += static_cast<int>(some.sends.size());
             return make(some, at);
           }});
    }
    return carried;
  };
  return {name, choose, {}, {}};
}

/// `first`, followed by the transports of all programs.
std::vector<named_transport> before_all_others(named_transport first) {
  std::vector<named_transport> table{std::move(first)};
  table.insert(table.end(), all_transports().begin(), all_transports().end());
  return table;
}

} // namespace

TEST_CASE("an operation's steps go through the first transport that can carry them") {
  auto const world = testing::world();
  numbers_of_all exchanged(world);
  int count = 0;
  auto const table = before_all_others(to_oneself(count));
  auto const messages = by_messages(world, 1);
  auto const chosen =
      choose_transports(world, {&exchanged.steps, 1}, {&messages, 1}, table).front();
  exchanged.run(chosen.make);
  CHECK(count == 5);
  for (int peer = 0; peer < world.size(); ++peer) {
    bool const is_own = chosen.carriers[std::size_t(peer)] == "a plain buffer";
    CHECK(is_own == (peer == world.rank()));
  }
}

TEST_CASE("a call's steps go through the first transport that can carry them") {
  auto const world = testing::world();
  numbers_of_all exchanged(world);
  int count = 0;
  auto const table = before_all_others(to_oneself(count));
  exchanged.run(choose_transport_of_call(world, exchanged.steps, by_messages(world, 2), table));
  CHECK(count == 5);
}

TEST_CASE("a nonblocking call goes through the first transport that carries such calls") {
  auto const world = testing::world();
  numbers_of_all exchanged(world);
  std::vector<std::string> asked;
  auto const answers = [&](char const* name, transport_maker const& make) {
    return named_transport{name, {}, {}, [&asked, name, make](Communicator const&) {
                             asked.push_back(name);
                             return make;
                           }};
  };
  std::vector<named_transport> const table{{"no calls", {}, {}, {}},
                                           answers("not here", nullptr),
                                           answers("here", by_messages(world, 5)),
                                           answers("too late", nullptr)};
  exchanged.run(choose_transport_of_start(world, nullptr, table));
  CHECK(asked == std::vector<std::string>{"not here", "here"});
  exchanged.run(choose_transport_of_start(world, by_messages(world, 6), {}));
}

TEST_CASE("an operation has as many transports as its steps need") {
  auto const world = testing::world();
  numbers_of_all exchanged(world);
  std::vector<std::string> names;
  for (int distance = 0; distance < world.size(); ++distance)
    names.push_back("distance " + std::to_string(distance));
  int made = 0;
  std::vector<named_transport> table;
  for (int distance = 0; distance + 1 < world.size(); ++distance)
    table.push_back(over_distance(distance, names[std::size_t(distance)], made));
  auto const messages = by_messages(world, 3);
  auto const chosen =
      choose_transports(world, {&exchanged.steps, 1}, {&messages, 1}, table).front();
  exchanged.run(chosen.make);
  CHECK(made == world.size() - 1);
  for (int peer = 0; peer < world.size(); ++peer) {
    int const distance = (peer - world.rank() + world.size()) % world.size();
    CHECK(chosen.carriers[std::size_t(peer)] ==
          (distance + 1 < world.size() ? names[std::size_t(distance)] : "MPI"));
  }
}

TEST_CASE("the memory of the node carries the messages that no other transport carries") {
  auto const world = testing::world();
  numbers_of_all exchanged(world);
  auto const messages = by_messages(world, 4);
  auto const chosen = choose_transport(world, exchanged.steps, messages);
  exchanged.run(chosen.make);
  for (std::string_view const carrier : chosen.carriers)
    CHECK((carrier == "the memory of the node" || carrier == "MPI"));
}
