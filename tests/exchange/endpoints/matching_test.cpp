// Matching of messages and receives between endpoints: against a serial model where one thread
// drives all endpoints of a process, and by the rule of MPI that messages do not overtake where
// threads and processes run freely.
#include <support/catch.hpp>
#include <support/on_endpoints.hpp>

#include <seam/exchange/agreement/mpi_collective.hpp>
#include <seam/exchange/endpoints/detail/collectives.hpp>
#include <seam/exchange/mpi/detail/context.hpp>

#include <algorithm>
#include <array>
#include <cstring>
#include <deque>
#include <memory>
#include <optional>
#include <random>
#include <vector>

namespace {

using namespace seam;
using namespace seam::testing;

/// A message or a receive of the program, as the implementation and the model see it.
struct event {
  std::unique_ptr<mpi::transfer> real;
  std::vector<unsigned char> bytes;
  int at = 0;              ///< the endpoint that receives
  int source = 0, tag = 0; ///< of a receive with wildcards
  int number = -1;         ///< of the message; of a receive that is done, of its message
  bool is_cancelled = false;
};

/// The simplest matching: lists in the order of their beginnings.
class model {
public:
  explicit model(int num_endpoints) : posted_(num_endpoints), arrived_(num_endpoints) {}

  static bool matches(event const& receive, event const& message) {
    return (receive.source == mpi::any_source || receive.source == message.source) &&
           (receive.tag == mpi::any_tag || receive.tag == message.tag);
  }

  void send(event& message) {
    auto& posted = posted_[static_cast<std::size_t>(message.at)];
    auto const found = std::ranges::find_if(posted, [&](event* r) { return matches(*r, message); });
    if (found == posted.end())
      return arrived_[static_cast<std::size_t>(message.at)].push_back(&message);
    (*found)->number = message.number;
    posted.erase(found);
  }

  event const* look(event const& receive) const {
    auto const& arrived = arrived_[static_cast<std::size_t>(receive.at)];
    auto const found =
        std::ranges::find_if(arrived, [&](event* m) { return matches(receive, *m); });
    return found != arrived.end() ? *found : nullptr;
  }

  /// Takes the message that look() finds.
  void take(event& receive) {
    event const* const found = look(receive);
    receive.number = found->number;
    std::erase(arrived_[static_cast<std::size_t>(receive.at)], const_cast<event*>(found));
  }

  void receive(event& receive) {
    if (look(receive) != nullptr)
      take(receive);
    else
      posted_[static_cast<std::size_t>(receive.at)].push_back(&receive);
  }

  void cancel(event& receive) {
    receive.is_cancelled = std::erase(posted_[static_cast<std::size_t>(receive.at)], &receive) > 0;
  }

private:
  std::vector<std::vector<event*>> posted_, arrived_;
};

/// Which messages a serial program looks for. Messages of several senders have an order only if the
/// receiver looks for each before the next is sent.
enum class sources { one, any };

/// A program that one thread runs on all endpoints of its process.
class serial_program {
public:
  serial_program(std::vector<Communicator> const& endpoints, sources from, unsigned seed)
      : from_(from), draw_(seed), size_(static_cast<int>(endpoints.size())), expected_(size_) {
    for (Communicator const& each : endpoints)
      contexts_.push_back(mpi::context_of(each));
  }

  /// True if all messages have gone where the model says.
  bool run(int num_steps) {
    for (int step = 0; step < num_steps; ++step)
      switch (number_below(8)) {
      case 0:
      case 1:
      case 2: send(); break;
      case 3: probe(); break;
      case 4: cancel(); break;
      case 5: take(); break;
      default: receive();
      }
    return all_match();
  }

private:
  int number_below(int end) { return std::uniform_int_distribution(0, end - 1)(draw_); }

  event random_receive() {
    event made;
    made.at = number_below(size_);
    made.source =
        from_ == sources::any && number_below(4) == 0 ? mpi::any_source : number_below(size_);
    made.tag = number_below(4) == 0 ? mpi::any_tag : number_below(3);
    return made;
  }

  void send() {
    event& made = messages_.emplace_back();
    made.number = static_cast<int>(messages_.size()) - 1;
    made.at = number_below(size_);
    made.source = number_below(size_);
    made.tag = number_below(3);
    // Up to 48 bytes go by rings; above 4096 they stay with their sender.
    static constexpr std::array lengths{0, 1, 8, 48, 49, 100, 4096, 5000};
    made.bytes.assign(lengths[number_below(lengths.size())],
                      static_cast<unsigned char>(made.number));
    made.real =
        std::make_unique<mpi::transfer>(std::as_bytes(std::span(made.bytes)), made.at, made.tag);
    made.real->is_synchronous = number_below(4) == 0;
    contexts_[static_cast<std::size_t>(made.source)]->send(*made.real);
    expected_.send(made);
    if (from_ == sources::any)
      contexts_[made.at]->progress();
  }

  void receive() {
    event& made = receives_.emplace_back(random_receive());
    made.bytes.resize(5000, 255);
    made.real = std::make_unique<mpi::transfer>(std::as_writable_bytes(std::span(made.bytes)),
                                                made.source, made.tag);
    contexts_[static_cast<std::size_t>(made.at)]->receive(*made.real);
    expected_.receive(made);
  }

  void probe() {
    event const wanted = random_receive();
    auto const found =
        contexts_[static_cast<std::size_t>(wanted.at)]->look(wanted.source, wanted.tag);
    event const* const expected = expected_.look(wanted);
    has_failed_ |= found.has_value() != (expected != nullptr);
    if (found && expected != nullptr)
      has_failed_ |= found->source != expected->source || found->tag != expected->tag ||
                     found->bytes != std::ssize(expected->bytes);
  }

  /// Probes with a match, and receives what has been found.
  void take() {
    event made = random_receive();
    auto const taken = contexts_[static_cast<std::size_t>(made.at)]->take(made.source, made.tag);
    event const* const expected = expected_.look(made);
    has_failed_ |= (taken != nullptr) != (expected != nullptr);
    if (taken == nullptr || expected == nullptr)
      return;
    expected_.take(made);
    event& kept = receives_.emplace_back(std::move(made));
    kept.bytes.resize(5000, 255);
    kept.real = std::make_unique<mpi::transfer>(std::as_writable_bytes(std::span(kept.bytes)),
                                                kept.source, kept.tag);
    taken->receive(*kept.real);
  }

  void cancel() {
    if (receives_.empty())
      return;
    event& chosen =
        receives_[static_cast<std::size_t>(number_below(static_cast<int>(receives_.size())))];
    if (chosen.is_cancelled)
      return;
    bool const is_cancelled = contexts_[static_cast<std::size_t>(chosen.at)]->cancel(*chosen.real);
    expected_.cancel(chosen);
    has_failed_ |= is_cancelled != chosen.is_cancelled;
  }

  bool all_match() {
    for (mpi::context* const each : contexts_)
      each->progress();
    bool is_right = !has_failed_;
    for (event& receive : receives_) {
      if (receive.is_cancelled)
        continue;
      is_right = is_right && receive.real->is_done() == (receive.number >= 0);
      if (!receive.real->is_done()) {
        is_right =
            contexts_[static_cast<std::size_t>(receive.at)]->cancel(*receive.real) && is_right;
        continue;
      }
      event const& message = messages_[static_cast<std::size_t>(receive.number)];
      is_right = is_right && receive.real->peer == message.source &&
                 receive.real->tag == message.tag &&
                 receive.real->bytes == std::ssize(message.bytes) && message.real->is_done() &&
                 std::equal(message.bytes.begin(), message.bytes.end(), receive.bytes.begin());
    }
    return is_right;
  }

  sources from_;
  std::mt19937 draw_;
  int size_;
  model expected_;
  std::vector<mpi::context*> contexts_;
  std::deque<event> messages_, receives_;
  bool has_failed_ = false;
};

} // namespace

TEST_CASE("messages between endpoints match as in a serial model", "[endpoints]") {
  Communicator const self = Communicator::dup(MPI_COMM_SELF);
  for (int num_endpoints : {2, 3, 5, 12}) {
    for (unsigned seed = 0; seed < 40; ++seed) {
      INFO(num_endpoints << " endpoints, seed " << seed);
      auto const from = seed % 2 == 0 ? sources::any : sources::one;
      // The messages that are left end with the communicators, before the program does.
      auto program = std::optional<serial_program>();
      auto endpoints = create_endpoints(self, num_endpoints);
      program.emplace(endpoints, from, seed);
      CHECK(program->run(400));
      endpoints.clear();
    }
  }
}

namespace {

/// A message of the free program: its sender, and as which of its messages to this receiver.
struct note {
  int source, number, tag;
};

/// A receive of the free program, in the order of posts, and what it got.
struct posted_receive {
  mpi::transfer message;
  std::vector<std::byte> bytes;
  int source, tag;
  note got{};
};

/// True if a receive that was posted earlier and matches a message of the same sender that was sent
/// earlier has got a later one.
bool has_overtaken(std::deque<posted_receive> const& receives) {
  auto const matches = [](posted_receive const& receive, note const& message) {
    return (receive.source == mpi::any_source || receive.source == message.source) &&
           (receive.tag == mpi::any_tag || receive.tag == message.tag);
  };
  for (std::size_t early = 0; early < receives.size(); ++early)
    for (std::size_t late = early + 1; late < receives.size(); ++late) {
      note const &first = receives[early].got, &second = receives[late].got;
      if (first.source == second.source && second.number < first.number &&
          matches(receives[early], second))
        return true;
    }
  return false;
}

/// Which fields of a receive are wildcards: programs whose receives are alike cannot deadlock.
enum class wildcard { none, source, tag, both };

/// Each endpoint sends `per_pair` messages with random tags to each, and receives as many, in an
/// order of its own.
void exchange_freely(Communicator& all, wildcard kind, int per_pair, unsigned seed) {
  int const size = all.size(), rank = all.rank();
  mpi::context& ranks = *mpi::context_of(all);
  auto const tag_of = [&](int from, int to, int number) {
    std::minstd_rand draw(seed + static_cast<unsigned>((from * size + to) * per_pair + number));
    draw.discard(3);
    return static_cast<int>(draw() % 3);
  };
  auto const length_of = [&](int from, int number) {
    return static_cast<std::size_t>(number % 7 == 3 ? 6000 : 12 + from);
  };
  std::mt19937 draw(seed + static_cast<unsigned>(rank));

  std::deque<posted_receive> receives;
  for (int from = 0; from < size; ++from)
    for (int number = 0; number < per_pair; ++number) {
      posted_receive& made = receives.emplace_back();
      made.source = from;
      made.tag = tag_of(from, rank, number);
      if (kind == wildcard::source || kind == wildcard::both)
        made.source = mpi::any_source;
      if (kind == wildcard::tag || kind == wildcard::both)
        made.tag = mpi::any_tag;
    }
  std::vector<std::size_t> order(receives.size());
  for (std::size_t k = 0; k < order.size(); ++k)
    order[k] = k;
  std::deque<posted_receive> in_order; // posts in an order of their own
  std::ranges::shuffle(order, draw);
  std::deque<mpi::transfer> sends;
  std::deque<std::vector<int>> contents;
  std::vector<int> next(static_cast<std::size_t>(size));
  std::vector<int> destinations;
  for (int to = 0; to < size; ++to)
    destinations.insert(destinations.end(), static_cast<std::size_t>(per_pair), to);
  std::ranges::shuffle(destinations, draw);

  std::size_t num_posted = 0;
  auto const post = [&] {
    posted_receive const& planned = receives[order[num_posted++]];
    posted_receive& made = in_order.emplace_back();
    made.source = planned.source;
    made.tag = planned.tag;
    made.bytes.resize(6016);
    made.message.data = made.bytes.data();
    made.message.bytes = std::ssize(made.bytes);
    made.message.peer = made.source;
    made.message.tag = made.tag;
    ranks.receive(made.message);
  };
  for (int const to : destinations) {
    int const number = next[static_cast<std::size_t>(to)]++;
    auto& content = contents.emplace_back(length_of(rank, number) / sizeof(int) + 1, rank);
    content[1] = number;
    auto& sent =
        sends.emplace_back(std::as_bytes(std::span(content)), to, tag_of(rank, to, number));
    sent.is_synchronous = number % 5 == 4;
    ranks.send(sent);
    while (num_posted < order.size() && draw() % 3 != 0)
      post();
  }
  while (num_posted < order.size())
    post();
  for (posted_receive& each : in_order) {
    seam::detail::wait_for(ranks, each.message);
    int content[2];
    std::memcpy(content, each.bytes.data(), sizeof(content));
    each.got = {content[0], content[1], each.message.tag};
    EXPECT(each.message.peer == each.got.source);
    EXPECT(each.got.tag == tag_of(each.got.source, rank, each.got.number));
    EXPECT(each.source == mpi::any_source || each.source == each.got.source);
    EXPECT(each.tag == mpi::any_tag || each.tag == each.got.tag);
    EXPECT(each.message.bytes ==
           std::int64_t{sizeof(int)} *
               static_cast<std::int64_t>(length_of(each.got.source, each.got.number) / sizeof(int) +
                                         1));
  }
  for (mpi::transfer& sent : sends)
    seam::detail::wait_for(ranks, sent);
  EXPECT(!has_overtaken(in_order));
  std::vector<int> received(static_cast<std::size_t>(size) * static_cast<std::size_t>(per_pair));
  for (posted_receive const& each : in_order)
    ++received[static_cast<std::size_t>(each.got.source * per_pair + each.got.number)];
  EXPECT(std::ranges::count(received, 1) == std::ssize(received));
}

} // namespace

TEST_CASE("messages between threads and processes arrive once and do not overtake", "[endpoints]") {
  for (auto const& counts : {std::vector{2}, std::vector{3, 1}, std::vector{1, 2, 3}})
    for (wildcard kind : {wildcard::none, wildcard::source, wildcard::tag, wildcard::both})
      on_endpoints(counts, [kind](Communicator& all) {
        for (unsigned seed = 0; seed < 3; ++seed) {
          exchange_freely(all, kind, 12, seed);
          mpi::barrier(all);
        }
      });
  SUCCEED();
}
