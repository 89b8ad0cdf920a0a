/// Messages that arrive later than they do, to see whether waiting for them is hidden.
#pragma once

#include <chrono>

namespace mesh_bench {

/// While it lives, the program's MPI_Testsome, by which exchanges learn of messages of MPI, reports each
/// message `delay` after it has seen it.
class late_messages {
public:
  using duration = std::chrono::steady_clock::duration;

  explicit late_messages(duration delay) noexcept;
  late_messages(late_messages const&) = delete;
  late_messages& operator=(late_messages const&) = delete;
  ~late_messages();

  /// The time, in all, in which a message of this process was there and not reported; in which
  /// several were, it counts once.
  static duration held() noexcept;
};

} // namespace mesh_bench
