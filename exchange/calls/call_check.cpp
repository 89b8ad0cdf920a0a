#include <seam/exchange/calls/call_check.hpp>

#include <seam/exchange/communicator/load_summary.hpp>
#include <seam/exchange/engine/engine.hpp>
#include <seam/exchange/ground/error.hpp>
#include <seam/exchange/ground/kept_error.hpp>
#include <seam/exchange/ground/turn.hpp>
#include <seam/exchange/planning/detail/edges.hpp>
#include <seam/exchange/transport/message/message.hpp>
#include <seam/exchange/waiting/detail/patience.hpp>
#include <seam/exchange/waiting/detail/progress.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstring>
#include <string_view>

namespace seam::detail {
namespace {

/// Text of limited length that travels as bytes.
template <std::size_t Room>
class short_text {
public:
  short_text() = default;
  explicit short_text(std::string_view text) {
    text.substr(0, Room - 1).copy(characters_.data(), Room - 1);
  }
  std::string_view view() const { return characters_.data(); }

private:
  std::array<char, Room> characters_{};
};

using call_text = short_text<160>;

/// An error line, and MPI's class of the error if it has one.
struct error_line {
  short_text<496> text;
  int error_class = 0;

  error_line() = default;
  explicit error_line(std::string_view line, int mpi_class = 0)
      : text(line), error_class(mpi_class) {}
  std::string_view view() const { return text.view(); }
};

/// The description of a call that one process sends to another.
struct call_notice {
  call_text call;       ///< empty: the sender has found an error
  load_summary leaving; ///< from the sender to the receiver of this notice
};

/// Exchanges a block of fixed length between all processes; needs no order of MPI calls.
template <class Block>
class exchange_with_all {
public:
  exchange_with_all(Communicator const& over, int tag)
      : sent(num_peers_of(over.view().native())), received(sent.size()) {
    collective_edges const to_all_peers = edges_to_all_peers(over);
    schedule steps = along_edges(to_all_peers, as_elements(sent), as_elements(received));
    steps.keeps.push_back(over.keep_alive());
    engine_ =
        std::make_unique<engine>(std::move(steps), [&](schedule const& plan, std::byte* staging) {
          return make_immediate_transport(
              over.context(), [tag] { return tag; }, plan, staging);
        });
  }

  void start() { engine_->start(); }
  bool test() { return engine_->test(); }

  std::vector<Block> sent, received; ///< [peers]

private:
  static std::vector<elements> as_elements(std::vector<Block>& blocks) {
    std::vector<elements> all;
    for (Block& source : blocks)
      all.push_back({&source, sizeof(Block), MPI_BYTE});
    return all;
  }

  std::unique_ptr<engine> engine_;
};

/// "8, 16 bytes along 2 edges"
std::string bytes_along(load_summary const& loads) {
  if (loads.num_edges() == 0)
    return "nothing";
  return fmt::format("{} bytes along {}", loads.list(), loads.count());
}

/// Keeps the first error in alphabetical order, which is the same on all ranks.
void keep_first(error_line& first, error_line const& other) {
  if (!other.view().empty() && (first.view().empty() || other.view() < first.view()))
    first = other;
}

} // namespace

struct call_check::state {
  state(Communicator const& on, call_description own)
      : rank(on.rank()),
        size(on.size()),
        bipartite(on.topology().is_bipartite()),
        described(std::move(own)),
        calls(on, draw_tag(on)) {
    int const num_rounds = bipartite ? 2 : 1;
    for (int r = 0; r < num_rounds; ++r)
      verdicts.push_back(std::make_unique<exchange_with_all<error_line>>(on, draw_tag(on)));
    auto const leaving = summaries_of(described.leaving, static_cast<int>(calls.sent.size()));
    for (int peer = 0; peer < std::ssize(leaving); ++peer)
      calls.sent[peer] = {call_text(described.error ? "" : described.call), leaving[peer]};
    calls.start();
    tag_of_call = draw_tag(on);
  }

  static int draw_tag(Communicator const& on) { return on.tags_of_starts()(); }

  std::string name_of(int peer) const {
    return fmt::format("rank {}{}", peer, bipartite ? " of the other side" : "");
  }

  /// The error that this rank finds in the call, or an empty line.
  error_line complaint() const {
    if (described.error)
      return error_line(fmt::format("{}; on rank {} of {}", described.error->line, rank, size),
                        described.error->error_class);
    std::string const own_call(call_text(described.call).view());
    for (int peer = 0; peer < std::ssize(calls.received); ++peer)
      if (auto const call = calls.received[peer].call.view(); !call.empty() && call != own_call)
        return error_line(different_calls(peer, call));
    auto const expected = summaries_of(described.arriving, static_cast<int>(calls.received.size()));
    for (int peer = 0; peer < std::ssize(expected); ++peer)
      if (call_notice const& notice = calls.received[peer];
          !notice.call.view().empty() && notice.leaving != expected[peer])
        return error_line(different_loads(peer, notice.leaving, expected[peer]));
    return {};
  }

  std::string different_calls(int peer, std::string_view call) const {
    std::string first_call = fmt::format("rank {} calls {}", rank, described.call);
    std::string second_call = fmt::format("{} calls {}", name_of(peer), call);
    if (!bipartite && peer < rank)
      std::swap(first_call, second_call);
    return fmt::format("collective: {}, {} (expected the same on all ranks)", first_call,
                       second_call);
  }

  std::string different_loads(int peer, load_summary const& sent,
                              load_summary const& expected) const {
    return fmt::format("{}: {} sends {} to rank {}, which expects {} (expected the same at both "
                       "ends)",
                       described.call, name_of(peer), bytes_along(sent), rank,
                       bytes_along(expected));
  }

  bool advance() {
    if (!has_compared) {
      if (!calls.test())
        return false;
      has_compared = true;
      first = complaint();
      tell_verdict();
    }
    while (round < std::ssize(verdicts)) {
      if (!verdicts[round]->test())
        return false;
      for (error_line const& other : verdicts[round]->received)
        keep_first(first, other);
      if (++round < std::ssize(verdicts))
        tell_verdict();
    }
    return true;
  }

  void tell_verdict() {
    std::ranges::fill(verdicts[round]->sent, first);
    verdicts[round]->start();
  }

  int rank, size;
  bool bipartite;
  call_description described;
  exchange_with_all<call_notice> calls;
  std::vector<std::unique_ptr<exchange_with_all<error_line>>> verdicts;
  error_line first;
  int tag_of_call;
  int round = 0;
  bool has_compared = false, has_thrown = false;
};

call_check::call_check(Communicator const& over, call_description own)
    : state_(std::make_unique<state>(over, std::move(own))) {}
call_check::call_check(call_check&&) noexcept = default;
call_check::~call_check() = default;

int call_check::tag_of_call() const { return state_->tag_of_call; }

bool call_check::test() {
  if (!state_->advance())
    return false;
  if (!state_->first.view().empty() && !std::exchange(state_->has_thrown, true))
    throw usage_error(std::string(state_->first.view()), true, state_->first.error_class);
  return true;
}

void call_check::wait() {
  for (patience wait; !test(); wait.pause()) {
  }
}

void require_match(Communicator const& over, call_description own) {
  call_scope const here("a comparison of all ranks", *over.calls());
  call_check(over, std::move(own)).wait();
}

namespace {

/// See start_after(). The progress thread moves it, since the check has several rounds and the
/// checked operation starts after them.
class activity_after_check final : public activity, public progressable {
public:
  activity_after_check(call_check check, std::shared_ptr<activity> then)
      : check_(std::move(check)), then_(std::move(then)) {
    add_to_progress(*this);
  }
  ~activity_after_check() override { remove_from_progress(*this); }

  void start() override {}
  void start_gated() override { refuse("start: a checked call has no gates (expected prepare)"); }
  void open(int) override { start_gated(); }

  /// Throws an error once; the operation counts as complete then.
  bool test() override {
    turn const now(testing_); // before the look at the failure, which another turn may keep
    if (failure_.is_set()) {
      if (!has_thrown_.test_and_set())
        failure_.rethrow();
      return true;
    }
    if (!now.is_mine())
      return false;
    try {
      return advance();
    } catch (...) {
      failure_.keep();
      has_thrown_.test_and_set();
      throw;
    }
  }

  bool needs_progress() const noexcept override { return true; }

  bool make_progress() noexcept override {
    turn const now(testing_);
    try {
      return !failure_.is_set() && now.is_mine() && !advance();
    } catch (...) { // thrown again by the user's next test()
      failure_.keep();
      return false;
    }
  }

  bool is_at_rest() const noexcept override { return complete_.load(std::memory_order_acquire); }

private:
  bool advance() {
    if (complete_.load(std::memory_order_relaxed))
      return true;
    if (!started_ && !start_if_all_match())
      return false;
    bool const done = then_->test();
    complete_.store(done, std::memory_order_release);
    return done;
  }

  bool start_if_all_match() {
    if (!check_.test())
      return false;
    then_->start();
    started_ = true;
    return true;
  }

  call_check check_;
  std::shared_ptr<activity> then_;
  std::atomic_flag testing_, has_thrown_;
  kept_error failure_;
  bool started_ = false;
  std::atomic<bool> complete_ = false;
};

} // namespace

std::shared_ptr<activity> start_after(call_check check, std::shared_ptr<activity> then) {
  return std::make_shared<activity_after_check>(std::move(check), std::move(then));
}

} // namespace seam::detail
