/// Operations: exchanges and collectives that a program plans once and runs many times.
///
///     operation halo = make_exchange(comm, plan, arrays);
///     halo.run();                        // blocking
///     in_flight flying = halo.start();   // nonblocking
///     ... compute what does not touch the arrays ...
///     flying.wait();
#pragma once

#include <seam/exchange/communicator/communicator.hpp>
#include <seam/exchange/waiting/detail/activity.hpp>

#include <cstdint>
#include <memory>
#include <string>

namespace seam {

namespace detail {
struct schedule;
}

/// An operation that has been started. Keeps all it needs alive; its destructor waits.
class [[nodiscard]] in_flight {
public:
  /// @param keeps  kept as long as this object, and destroyed after the activity
  explicit in_flight(std::shared_ptr<detail::activity> running,
                     std::shared_ptr<void const> keeps = {});
  in_flight(in_flight&&) noexcept = default;
  in_flight& operator=(in_flight&&) = delete;
  ~in_flight();

  /// Makes progress; true if complete. Threads: any, also several at once.
  bool test();

  /// Describes the messages and gates that the operation waits for, as text. Allocates.
  std::string missing() const { return running_->missing(); }

  /// A scope for waits that look at test() or arrived(). Local.
  detail::call_scope waiting() const { return running_->waiting(); }

  /// Reports the operation as started by `call`, and counts its starts on `record`. Local.
  /// @param name  lives as long as the program
  in_flight&& as_started_by(detail::call_scope const& call,
                            std::shared_ptr<detail::call_record> const& record,
                            char const* name) && {
    running_->count_on(record, name);
    running_->belongs_to(call);
    return std::move(*this);
  }

  /// Returns when complete: results are there, and buffers may be touched again.
  void wait() { running_->wait(); }

  /// For operations started gated: lets the data at `gate` leave. Threads: any, each gate once.
  void open(int gate) { running_->open(gate); }

  /// For exchanges: makes progress; true if the elements of the plan's edge `source` have arrived,
  /// and may be read though others are still on their way. With several plans the edges of each
  /// follow those of the plan before. Combined elements are there when the operation is complete.
  ///
  /// Threads: any.
  bool arrived(int source) { return running_->arrived(source); }

private:
  std::shared_ptr<void const> keeps_; ///< destroyed after the activity
  std::shared_ptr<detail::activity> running_;
};

/// A persistent operation: planned once, started any number of times, one at a time.
///
/// Starting and waiting involve only the neighbors and allocate nothing.
class operation {
public:
  /// Makes an operation that runs `steps` among the processes of `over`.
  ///
  /// Collective: over `over`, in the same order on all ranks.
  operation(Communicator const& over, detail::schedule const& steps);

  /// Makes an operation for one or a few runs: without communication, at the price of new requests
  /// at every start. All ranks start such operations of `over` in the same order. Local.
  static operation immediate(Communicator const& over, detail::schedule steps);

  /// Makes the operation of a blocking call, whose messages inside the node may go through links
  /// that all calls use; all ranks run such operations one after another. It may be kept with
  /// `over` itself, since it does not keep `over` open.
  ///
  /// Collective: over `over`, the first time; local from then on.
  static operation blocking(Communicator const& over, detail::schedule const& steps);

  /// Makes the activity of an immediate() operation, to be started once by another activity. Local.
  /// @param tag  drawn from `over.tags_of_starts()`
  static std::shared_ptr<detail::activity> immediate_activity(Communicator const& over,
                                                              detail::schedule steps, int tag);

  /// Makes the activity of an immediate() operation, to be started one at a time. It may be kept
  /// with `over` itself, since it does not keep `over` open. Local.
  static std::shared_ptr<detail::activity> immediate_activity_inside(Communicator const& over,
                                                                     detail::schedule steps);

  /// Makes an operation of an activity that is not an engine, such as a call of MPI. Local.
  explicit operation(std::shared_ptr<detail::activity> running) : running_(std::move(running)) {}

  /// Counts the starts separately from other calls of `over`, for reports of stalls.
  ///
  /// @param name  lives as long as the program, see lasting_name()
  /// Collective: over `over`, by the order of its operations; sends nothing.
  operation& keep_on(Communicator const& over, char const* name);

  /// Gives the operation another name in reports of stalls. Local.
  operation& rename(char const* name);

  /// Counts the starts together with those of `other`. Local.
  operation& count_with(operation const& other);

  /// Puts the activity that make(activity) returns in place of the operation's. Local.
  template <class Make>
  void carry_by(Make const& make) {
    running_ = make(std::move(running_));
  }

  /// Starts. Throws usage_error while an earlier start is not complete. Local.
  in_flight start();

  /// Starts with closed gates (see engine::start_gated). Local.
  in_flight start_gated();

  /// Starts and waits.
  void run();

  /// As run(), inside the scope of a call that counts already.
  void run_inside(detail::call_scope const& call);

  /// Messages that one run sends from this rank; 0 where the MPI library carries it out.
  int num_messages() const noexcept { return num_messages_; }

  /// Bytes that one run sends from this rank to others; 0 where the MPI library carries it out.
  std::int64_t num_bytes() const noexcept { return num_bytes_; }

private:
  operation(std::shared_ptr<detail::activity> running, detail::schedule const& steps);

  std::shared_ptr<detail::activity> running_;
  int num_messages_ = 0;
  std::int64_t num_bytes_ = 0;
};

} // namespace seam
