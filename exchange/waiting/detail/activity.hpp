/// Activities: operations that are started, make progress, and complete, again and again.
///
///     operation.start();       // or start_gated(), and open(gate) for each partition
///     while (!operation.test())
///       compute();             // or operation.wait()
#pragma once

#include <seam/exchange/waiting/detail/call_scope.hpp>

#include <cstdint>
#include <memory>
#include <string>

namespace seam::detail {

/// One operation of this process, carried out by seam's engine or the MPI library.
///
/// Threads: open(), test() and arrived() from any thread; start and wait by one thread at a time.
class activity {
public:
  activity() = default;
  activity(activity const&) = delete;
  activity& operator=(activity const&) = delete;
  virtual ~activity() = default;

  /// Starts with all gates open. Throws usage_error if in flight already. Local.
  virtual void start() = 0;

  /// Starts with all gates closed. Throws usage_error if in flight already. Local.
  virtual void start_gated() = 0;

  /// Opens `gate`: steps that wait for no other gate are carried out. Each gate once per start.
  virtual void open(int gate) = 0;

  /// Makes progress and returns true if the operation is complete. Never blocks.
  virtual bool test() = 0;

  /// Makes progress and returns true if the data from `source` are in place; see
  /// schedule::arrivals. An operation that cannot tell its sources apart: true if it is complete.
  virtual bool arrived(int source);

  /// True if neighbors may wait for progress of this operation while its process computes.
  virtual bool needs_progress() const noexcept { return false; }

  /// Describes in words what the operation waits for. Allocates.
  virtual std::string missing() const { return "an operation of the MPI library"; }

  /// Returns when the operation is complete. Reports a stall, see stall.hpp.
  void wait();

  /// Makes every start of this operation a call that counts on `record`. Local.
  /// @param name  lives as long as the program
  void count_on(std::shared_ptr<call_record> const& record, char const* name) noexcept {
    if (record_ != record)
      record_ = record;
    name_ = name;
  }

  /// Notes the call that starts this operation: waits are for it. Local.
  void belongs_to(call_scope const& call) noexcept { number_ = call.number(); }

  /// The scope of one more start, and of a wait for it. Local.
  call_scope starting() const { return {name_, *record_}; }
  call_scope waiting() const { return {name_, *record_, number_}; }

  std::shared_ptr<call_record> const& record() const noexcept { return record_; }
  char const* name_of_call() const noexcept { return name_; }

private:
  std::shared_ptr<call_record> record_ = call_record::unknown();
  char const* name_ = "an operation";
  std::int64_t number_ = 0; ///< of the call that has started the operation last
};

} // namespace seam::detail
