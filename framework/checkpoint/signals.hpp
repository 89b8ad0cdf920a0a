/// The signals by which batch systems and users ask a program to end.
#pragma once

namespace seam::detail {

/// While one lives, SIGTERM and SIGUSR1 are noted in place of ending the process.
/// Threads: any.
class noted_signals {
public:
  noted_signals();
  noted_signals(noted_signals const&) = delete;
  noted_signals& operator=(noted_signals const&) = delete;
  ~noted_signals();

  /// The signal that has come to this process last since one lives, or 0. Local.
  static int last() noexcept;
};

} // namespace seam::detail
