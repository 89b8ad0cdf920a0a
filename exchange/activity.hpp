/// Activities: what can be started, makes progress, and completes, again and again.
#pragma once

#include <string>

namespace seam {

/// One operation of this process, whoever carries it out: seam's engine or the MPI library.
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

  /// Opens `gate`: what waits for nothing else leaves. Each gate once per start.
  virtual void open(int gate) = 0;

  /// Makes progress and returns true if the operation is complete. Never blocks.
  virtual bool test() = 0;

  /// Makes progress and returns true if what comes along `source` is in place; see
  /// schedule::arrivals. Of an operation that does not tell its sources apart: if it is complete.
  virtual bool arrived(int source);

  /// What the operation is waiting for, for people to read. Allocates.
  virtual std::string missing() const { return "an operation of the MPI library"; }

  /// Returns when the operation is complete. Reports a stall, see stall.hpp.
  void wait();
};

} // namespace seam
