/// The attendant: a thread of the process that does for partitioned operations what must not wait
/// for the user's next call: ends meet, what has been announced is expected, partitions whose
/// company does not come leave, and stalls are reported. Whoever waits for one operation helps with
/// the others, so that the thread mostly sleeps: it is there for programs that block elsewhere.
#pragma once

#include <optional>
#include <string>

namespace seam {

/// What is attended to.
class attended {
public:
  attended() = default;
  attended(attended const&) = delete;
  attended& operator=(attended const&) = delete;
  virtual ~attended() = default;

  /// Called now and then by the attendant's thread, and by others that wait. Does not wait. Returns
  /// true if there is more to come soon.
  virtual bool attend() noexcept = 0;
};

/// Why MPI cannot be called from the attendant's thread, in the name of `call`; or nothing. Local.
std::optional<std::string> why_nobody_attends(char const* call);

/// From now on `one` is attended to. Threads: any.
void begin_attending(attended& one);

/// From the return on it is not any more. Threads: any but from within attend().
void stop_attending(attended& one);

/// Attends to all of this process once, unless somebody does so at this moment. Threads: any.
void attend_to_all() noexcept;

} // namespace seam
