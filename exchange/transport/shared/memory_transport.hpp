/// The base of the transports through the memory of a node: it looks for messages that have
/// arrived, and for sources that may be written again.
#pragma once

#include <seam/exchange/mpi/message.hpp>
#include <seam/exchange/transport/transport.hpp>
#include <seam/exchange/transport/wires.hpp>

#include <cstdint>
#include <span>
#include <vector>

namespace seam {

/// Base of a transport `Self`, which has
///
///     bool take(std::size_t receive_step);  // takes its message as far as it is there;
///                                           // true if it is whole
///     bool has_left(std::size_t k);         // true if the k-th of num_leaving messages, or
///                                           // peers, need not be waited for
///     void has_looked_in_vain();            // is called after each look without a result
///
/// Threads: as transport.
template <class Self>
class memory_transport : public transport {
public:
  void expect(int first, int last) final {
    for (int step = first; step < last; ++step) {
      expected_[num_expected_++] = static_cast<std::size_t>(step);
      read_[step] = 0;
    }
  }

  std::span<int const> arrivals() final {
    std::size_t count = 0;
    for (std::size_t e = 0; e < num_expected_;)
      if (self().take(expected_[e])) {
        arrived_[count++] = static_cast<int>(expected_[e]);
        expected_[e] = expected_[--num_expected_];
      } else {
        ++e;
      }
    if (count == 0)
      has_waited();
    return std::span(arrived_).first(count);
  }

  bool all_sent() final {
    while (num_unsent_ > 0 && self().has_left(num_unsent_ - 1))
      --num_unsent_;
    if (num_unsent_ > 0)
      has_waited();
    return num_unsent_ == 0;
  }

protected:
  /// @param context  lets the MPI library make progress during long waits
  memory_transport(mpi::comm_view context, schedule const& steps, std::byte* staging)
      : context_(context),
        wires_(steps, staging),
        read_(steps.receives.size()),
        expected_(steps.receives.size()),
        arrived_(steps.receives.size()) {}

  /// Begins a start in which `num_leaving` messages, or messages to so many peers, leave.
  void start_looking(std::size_t num_leaving) {
    num_expected_ = 0;
    num_unsent_ = num_leaving;
    looks_ = 0;
  }

  /// True now and then during a wait: when the MPI library makes progress.
  bool is_time_for_others() const { return looks_ % looks_between_progress == 0; }

  mpi::comm_view context_;
  wires wires_;
  std::vector<std::int64_t> read_; ///< [receive steps] how much has been read, as Self counts it
  std::int64_t looks_ = 0;         ///< looks of this start that found nothing

private:
  /// Looks between calls of the MPI library, for which other processes may wait.
  static constexpr int looks_between_progress = 1000;

  Self& self() { return static_cast<Self&>(*this); }

  void has_waited() {
    ++looks_;
    self().has_looked_in_vain();
    if (is_time_for_others())
      mpi::make_progress(context_);
  }

  std::vector<std::size_t> expected_; ///< receive steps of this and earlier rounds, not taken yet
  std::vector<int> arrived_;          ///< memory of the result of arrivals()
  std::size_t num_expected_ = 0, num_unsent_ = 0;
};

} // namespace seam
