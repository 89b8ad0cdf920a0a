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

namespace seam {
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

/// A line against the call, and MPI's class of the error if it has one.
struct error_line {
  short_text<496> text;
  int error_class = 0;

  error_line() = default;
  explicit error_line(std::string_view line, int its_class = 0)
      : text(line), error_class(its_class) {}
  std::string_view view() const { return text.view(); }
};

/// What one process tells another.
struct call_notice {
  call_text call;       ///< empty: it has an error to tell
  load_summary leaving; ///< from the one that tells to the one that is told
};

/// A block of fixed length from everybody to everybody, without a call of the MPI library that
/// others would have to make in the same order.
template <class Block>
class exchange_with_all {
public:
  exchange_with_all(Communicator const& over, int tag)
      : sent(static_cast<std::size_t>(num_peers_of(over.view().native()))), received(sent.size()) {
    collective_edges const everybody = edges_to_all_peers(over);
    schedule steps = along_edges(everybody, as_elements(sent), as_elements(received));
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
    for (Block& one : blocks)
      all.push_back({&one, sizeof(Block), MPI_BYTE});
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

/// The first error in the order of letters, which all ranks find alike.
void keep_first(error_line& first, error_line const& other) {
  if (!other.view().empty() && (first.view().empty() || other.view() < first.view()))
    first = other;
}

} // namespace

struct call_check::state {
  state(Communicator const& on, call_description what)
      : rank(on.rank()),
        size(on.size()),
        bipartite(on.topology().kind() == topology_kind::bipartite),
        mine(std::move(what)),
        calls(on, draw_tag(on)) {
    int const num_rounds = bipartite ? 2 : 1;
    for (int r = 0; r < num_rounds; ++r)
      verdicts.push_back(std::make_unique<exchange_with_all<error_line>>(on, draw_tag(on)));
    auto const leaving = summaries_of(mine.leaving, calls.sent.size());
    for (std::size_t peer = 0; peer < leaving.size(); ++peer)
      calls.sent[peer] = {call_text(mine.error ? "" : mine.call), leaving[peer]};
    calls.start();
    tag_of_call = draw_tag(on);
  }

  static int draw_tag(Communicator const& on) { return on.tags_of_starts()(); }

  std::string name_of(std::size_t peer) const {
    return fmt::format("rank {}{}", peer, bipartite ? " of the other side" : "");
  }

  /// What this rank has to say against the call.
  error_line complaint() const {
    if (mine.error)
      return error_line(fmt::format("{}; on rank {} of {}", mine.error->line, rank, size),
                        mine.error->error_class);
    std::string const own_call(call_text(mine.call).view());
    for (std::size_t peer = 0; peer < calls.received.size(); ++peer)
      if (auto const call = calls.received[peer].call.view(); !call.empty() && call != own_call)
        return error_line(different_calls(peer, call));
    auto const expected = summaries_of(mine.arriving, calls.received.size());
    for (std::size_t peer = 0; peer < expected.size(); ++peer)
      if (call_notice const& theirs = calls.received[peer];
          !theirs.call.view().empty() && theirs.leaving != expected[peer])
        return error_line(different_loads(peer, theirs.leaving, expected[peer]));
    return {};
  }

  std::string different_calls(std::size_t peer, std::string_view call) const {
    std::string one = fmt::format("rank {} calls {}", rank, mine.call);
    std::string other = fmt::format("{} calls {}", name_of(peer), call);
    if (!bipartite && static_cast<int>(peer) < rank)
      std::swap(one, other);
    return fmt::format("collective: {}, {} (expected the same on all ranks)", one, other);
  }

  std::string different_loads(std::size_t peer, load_summary const& theirs,
                              load_summary const& expected) const {
    return fmt::format("{}: {} sends {} to rank {}, which expects {} (expected the same at both "
                       "ends)",
                       mine.call, name_of(peer), bytes_along(theirs), rank, bytes_along(expected));
  }

  bool advance() {
    if (!told_all) {
      if (!calls.test())
        return false;
      told_all = true;
      first = complaint();
      tell_verdict();
    }
    while (round < verdicts.size()) {
      if (!verdicts[round]->test())
        return false;
      for (error_line const& other : verdicts[round]->received)
        keep_first(first, other);
      if (++round < verdicts.size())
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
  call_description mine;
  exchange_with_all<call_notice> calls;
  std::vector<std::unique_ptr<exchange_with_all<error_line>>> verdicts;
  error_line first;
  int tag_of_call;
  std::size_t round = 0;
  bool told_all = false, has_thrown = false;
};

call_check::call_check(Communicator const& over, call_description mine)
    : state_(std::make_unique<state>(over, std::move(mine))) {}
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

void require_match(Communicator const& over, call_description mine) {
  call_scope const here("a comparison of all ranks", *over.calls());
  call_check(over, std::move(mine)).wait();
}

namespace {

/// See start_after(). Attended to, since its check has several rounds and what follows starts here.
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

  /// An error is thrown once; the operation is over then.
  bool test() override {
    if (failure_.is_set()) {
      if (!has_thrown_.test_and_set())
        failure_.rethrow();
      return true;
    }
    turn const now(testing_);
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

} // namespace seam
