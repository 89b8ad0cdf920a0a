// A link carries messages from one thread to another, whichever way they are offered, and lets the
// sender be as many epochs ahead as it has places.
#include <seam/exchange/transport/node/link.hpp>
#include <seam/exchange/transport/node/thresholds.hpp>

#include <support/catch.hpp>

#include <algorithm>
#include <cstring>
#include <thread>
#include <vector>

using namespace seam;
using namespace seam::detail;

namespace {

constexpr std::uint64_t num_epochs = 2000;

/// The two ends of a link for messages of `bytes`, and its memory.
class joined_link {
public:
  joined_link(std::int64_t bytes, places of_lines, places of_slots)
      : lines_(std::size_t(of_lines.number() * lines_of(bytes))),
        slots_(std::size_t(of_slots.number() * bytes)) {
    link_end const both{.lines = lines_.data(),
                        .lines_each = lines_of(bytes),
                        .line_places = of_lines,
                        .offers = offers_,
                        .slots = slots_.data(),
                        .slot_bytes = bytes,
                        .slot_places = of_slots,
                        .taken = &taken_};
    static_cast<link_end&>(from) = both;
    static_cast<link_end&>(to) = both;
  }

  sending_link from;
  receiving_link to;

private:
  std::vector<line> lines_;
  std::vector<std::byte> slots_;
  alignas(64) shared_word offers_[2] = {0, 0};
  alignas(64) shared_word taken_ = 0;
};

std::vector<std::byte> message_of(std::uint64_t epoch, std::int64_t bytes) {
  std::vector<std::byte> message(static_cast<std::size_t>(bytes));
  for (std::size_t k = 0; k < message.size(); ++k)
    message[k] = static_cast<std::byte>(7 * epoch + k);
  return message;
}

template <class Condition>
void wait_until(Condition const& holds) {
  while (!holds())
    std::this_thread::yield();
}

/// Lets one thread call send(epoch) and another receive(epoch), which returns the message, for each
/// epoch. Returns how many messages are wrong.
template <class Send, class Receive>
int num_wrong(std::int64_t bytes, Send const& send, Receive const& receive) {
  int wrong = 0;
  std::jthread const sender([&] {
    for (std::uint64_t epoch = 1; epoch <= num_epochs; ++epoch)
      send(epoch);
  });
  for (std::uint64_t epoch = 1; epoch <= num_epochs; ++epoch)
    wrong += receive(epoch) != message_of(epoch, bytes);
  return wrong;
}

} // namespace

TEST_CASE("short messages of any length arrive in lines, epochs ahead of their receiver") {
  for (std::int64_t const bytes : {std::int64_t{1}, std::int64_t{55}, std::int64_t{56},
                                   std::int64_t{57}, longest_in_lines - 1, longest_in_lines}) {
    INFO(bytes << " bytes");
    joined_link ends(bytes, places(places_of_lines(false)), places(1));
    auto const send = [&](std::uint64_t epoch) {
      auto const message = message_of(epoch, bytes);
      write_lines(message.data(), bytes, ends.from.lines_in(epoch), epoch);
      wait_until([&] { return ends.from.has_taken(ends.from.line_places.needed_behind(epoch)); });
    };
    auto const receive = [&](std::uint64_t epoch) {
      std::vector<std::byte> message(static_cast<std::size_t>(bytes));
      std::int64_t done = 0;
      wait_until([&] {
        done = read_lines(ends.to.lines_in(epoch), done, message.data(), bytes, epoch);
        return done == lines_of(bytes);
      });
      ends.to.note_taken(epoch);
      return message;
    };
    CHECK(num_wrong(bytes, send, receive) == 0);
  }
}

TEST_CASE("a message of no bytes needs no line") {
  CHECK(lines_of(0) == 0);
  CHECK(read_lines(nullptr, 0, nullptr, 0, 1) == lines_of(0));
}

TEST_CASE("a receiver follows the bytes that its sender packs") {
  constexpr std::int64_t bytes = longest_in_lines + 1, pieces = 4;
  joined_link ends(bytes, places(1), places(places_of_slots));
  auto const send = [&](std::uint64_t epoch) {
    auto const message = message_of(epoch, bytes);
    for (std::int64_t piece = 0; piece < pieces; ++piece) {
      std::int64_t const begin = bytes * piece / pieces, end = bytes * (piece + 1) / pieces;
      std::memcpy(ends.from.slot_in(epoch) + begin, message.data() + begin,
                  static_cast<std::size_t>(end - begin));
      ends.from.show_packed(epoch, end);
    }
    wait_until([&] { return ends.from.has_taken(ends.from.slot_places.needed_behind(epoch)); });
  };
  auto const receive = [&](std::uint64_t epoch) {
    std::vector<std::byte> message(static_cast<std::size_t>(bytes));
    std::int64_t done = 0;
    wait_until([&] {
      std::int64_t const packed = ends.to.packed(epoch);
      std::memcpy(message.data() + done, ends.to.slot_in(epoch) + done,
                  static_cast<std::size_t>(packed > done ? packed - done : 0));
      done = std::max(done, packed);
      return done == bytes;
    });
    ends.to.note_taken(epoch);
    return message;
  };
  CHECK(num_wrong(bytes, send, receive) == 0);
}

TEST_CASE("a lent message is read at its place, or packed if its sender does not wait") {
  constexpr std::int64_t bytes = 5000;
  joined_link ends(bytes, places(1), places(1));
  std::vector<std::byte> source;
  auto const send = [&](std::uint64_t epoch) {
    source = message_of(epoch, bytes);
    ends.from.lend(epoch);
    bool const is_impatient = epoch % 3 == 0;
    auto const pack = [&](std::byte* slot) { std::ranges::copy(source, slot); };
    if (is_impatient)
      wait_until([&] { return ends.from.has_taken(epoch - 1); });
    if (is_impatient && ends.from.withdraw(epoch, pack))
      std::ranges::fill(source, std::byte{0}); // which the receiver must not see
    else
      wait_until([&] { return ends.from.has_taken(epoch); });
  };
  auto const receive = [&](std::uint64_t epoch) {
    if (epoch % 2 == 0)
      std::this_thread::yield();
    offer found = offer::withdrawn;
    wait_until([&] { return (found = ends.to.claim(epoch)) != offer::withdrawn; });
    std::byte const* const from = found == offer::lent ? source.data() : ends.to.slot_in(epoch);
    std::vector<std::byte> message(from, from + bytes);
    ends.to.note_taken(epoch);
    return message;
  };
  CHECK(num_wrong(bytes, send, receive) == 0);
}

TEST_CASE("of the two ends one alone gets a lent message") {
  joined_link ends(64, places(1), places(1));
  auto const nothing = [](std::byte* /*slot*/) {};
  CHECK(ends.to.claim(1) == offer::withdrawn);
  ends.from.lend(1);
  CHECK(ends.to.claim(1) == offer::lent);
  CHECK_FALSE(ends.from.withdraw(1, nothing));
  ends.from.lend(2);
  CHECK(ends.from.withdraw(2, nothing));
  CHECK(ends.to.claim(2) == offer::packed);
}

TEST_CASE("a sender is as many epochs ahead as there are places, and no more") {
  for (std::uint64_t const number : {1, 2, 4, 8}) {
    joined_link ends(56, places(number), places(number));
    places const used = ends.from.line_places;
    std::uint64_t epoch = 1;
    while (ends.from.has_taken(used.needed_behind(epoch)))
      ++epoch;
    CHECK(epoch == number);
    CHECK(ends.from.lines_in(epoch) == ends.from.lines_in(epoch + number));
    ends.to.note_taken(1);
    CHECK(ends.from.has_taken(used.needed_behind(epoch)));
    CHECK_FALSE(ends.from.has_taken(used.needed_behind(epoch + 1)));
  }
}
