/// The engine runs a schedule over a transport, as often as it is started.
///
///     schedule    send, receive, copy and combine steps of one rank, in rounds
///        |
///     engine      starts the steps of a round; the next begins when its messages have arrived
///        |
///     transport   carries the bytes of send steps to the peers' receive steps
///
/// A send waits for its gates: start() opens all of them, start_gated() leaves that to the caller.
#pragma once

#include <seam/exchange/ground/detail/countdown.hpp>
#include <seam/exchange/ground/kept_error.hpp>
#include <seam/exchange/schedule/detail/schedule.hpp>
#include <seam/exchange/transport/transport.hpp>
#include <seam/exchange/waiting/detail/activity.hpp>

#include <atomic>
#include <memory>
#include <vector>

namespace seam::detail {

/// One operation that can be started again and again.
///
/// Between start and completion the sources must not be written (nor read by others than the
/// engine, where they are wires) and the targets must not be touched. The engine allocates nothing
/// after construction, and waits for the peers of its schedule only. After an error every further
/// test() throws it again.
///
/// Threads: open() and test() from any thread; start and wait by one thread at a time.
class engine : public activity {
public:
  engine(schedule steps, transport_maker const& make_transport);
  /// Waits for an operation in flight, unless it has failed or the stack is unwinding.
  ~engine() override;

  /// Starts with all gates open, and carries out the first rounds as far as they need not wait.
  void start() override;

  /// Starts with all gates closed: a message leaves when the last gate that it waits for is opened.
  void start_gated() override;

  void open(int gate) override;
  bool test() override;
  bool arrived(int source) override;

  /// Lists messages of the rounds begun so far that wait for gates or have not arrived.
  std::string missing() const override;

  bool is_active() const noexcept { return active_.load(std::memory_order_acquire); }
  bool needs_progress() const noexcept override { return steps_.num_rounds > 1; }
  schedule const& steps() const noexcept { return steps_; }

private:
  struct round_steps;

  void begin(bool gated);
  round_steps const& current_steps() const;
  void arm_gates();
  void begin_round();
  void arm_round(round_steps const& round);
  void count_down(countdown& pending, int step, bool is_copy);
  void copy_inside(int step);
  void take_arrivals();
  bool is_in_place(int step) const;
  bool has_read_sources() const;
  bool round_is_complete();
  void combine_blocks();
  bool advance();
  bool advance_or_give_up();
  void give_up() noexcept;

  /// Frees staging memory, which is aligned to cache lines.
  struct staging_deleter {
    void operator()(std::byte* memory) const noexcept;
  };

  /// The steps of one round.
  struct round_steps {
    range sends, receives, copies, combines;
  };

  schedule steps_;
  std::vector<round_steps> rounds_;
  std::unique_ptr<std::byte, staging_deleter> staging_;
  std::unique_ptr<transport> transport_;

  /// For each gate, the steps that wait for it: sends by index, copies by ~index (a CSR pair).
  std::vector<int> gates2waiting_, waiting_;
  /// For each step, how many of these it still waits for: its gates, and the start of its round.
  std::vector<countdown> pending_sends_, pending_copies_;
  /// True for steps that have put their data in place since the last start.
  std::vector<std::atomic<bool>> received_, copied_;

  std::atomic<bool> active_ = false;
  bool gated_ = false;
  std::atomic_flag progressing_;
  kept_error failure_;
  /// Of the rounds that have begun: those that wait for gates.
  std::atomic<int> sends_left_ = 0, copies_left_ = 0;
  int arrivals_left_ = 0;
  std::atomic<int> round_ = 0;
};

} // namespace seam::detail
