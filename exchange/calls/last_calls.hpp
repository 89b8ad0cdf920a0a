/// The last few calls of collectives on a communicator, with a value that is kept for each.
#pragma once

#include <seam/exchange/calls/detail/call_key.hpp>

#include <iterator>
#include <utility>
#include <vector>

namespace seam::detail {

/// The last 8 calls, each with a value of type `Kept`; a new call takes the place of the oldest.
///
/// Threads: one at a time.
template <class Kept>
class last_calls {
public:
  /// The value of a call with this name and key for which `suits` is true; or nullptr. Local.
  template <class Suits>
  Kept* find(char const* name, call_key const& key, Suits const& suits) {
    for (call& known : calls_)
      if (known.name == name && known.key == key && suits(known.kept))
        return &known.kept;
    return nullptr;
  }

  /// Keeps `kept` for a call with this name and key. Local.
  Kept& keep(char const* name, call_key const& key, Kept kept) {
    call made{name, key, std::move(kept)};
    if (std::ssize(calls_) < most) {
      calls_.push_back(std::move(made));
      return calls_.back().kept;
    }
    call& oldest = calls_[oldest_];
    oldest_ = (oldest_ + 1) % most;
    oldest = std::move(made);
    return oldest.kept;
  }

private:
  static constexpr int most = 8;

  struct call {
    char const* name; ///< lives as long as the program
    call_key key;
    Kept kept;
  };

  std::vector<call> calls_;
  int oldest_ = 0;
};

} // namespace seam::detail
