/// Array watches: objects that know which elements of an array are up to date. The exchanges of the
/// array tell them what they do. Fields have them in checked mode.
#pragma once

#include <seam/exchange/schedule/detail/region.hpp>

namespace seam {

/// Told of the exchanges of one array.
/// Threads: arrive() and end() from the thread that finds out, each once for each start.
class array_watch {
public:
  virtual ~array_watch() = default;

  /// An exchange starts: values of the array may leave.
  virtual void begin() = 0;

  /// `elements` will be replaced by the exchange that has begun, and may not be read before.
  virtual void expect(region const& elements) = 0;

  /// `elements` have been replaced by values of other elements, or combined with them.
  virtual void arrive(region const& elements) = 0;

  /// The exchange is complete.
  virtual void end() = 0;
};

} // namespace seam
