/// Messages of users between endpoints, as activities: elements of any datatype, which are packed
/// unless they are contiguous.
#pragma once

#include <seam/exchange/mpi/detail/context.hpp>
#include <seam/exchange/schedule/detail/datatype_blocks.hpp>
#include <seam/exchange/waiting/detail/activity.hpp>

#include <atomic>
#include <memory>
#include <vector>

namespace seam::detail {

/// A send or a receive, which is started again and again. It is completed by threads of the
/// endpoint that it belongs to.
class endpoint_message final : public activity {
public:
  enum class direction { send, receive };

  /// @param over       lives as long as this, even if its communicator does not
  /// @param peer, tag  MPI's wildcards and MPI_PROC_NULL are taken
  endpoint_message(mpi::context& over, direction way, elements const& values, int peer, int tag);

  /// Ends a receive that no message has matched; waits otherwise.
  ~endpoint_message() override;

  void start() override;
  void start_gated() override;
  void open(int gate) override;
  bool test() override;
  std::string missing() const override;

  /// Ends a receive that no message has matched; false if one has, or this is a send.
  bool cancel();

  /// The message that has been received.
  mpi::arrived_message received() const noexcept {
    return {message_.peer, message_.tag, message_.bytes};
  }

private:
  void begin();
  void aim();
  void finish();
  void unpack_all();

  std::shared_ptr<mpi::context> over_;
  direction way_;
  std::byte* data_;           ///< the contiguous elements
  std::vector<block> blocks_; ///< none: the elements lie so in memory
  std::int64_t bytes_;
  int peer_, tag_;
  std::vector<std::byte> packed_;
  mpi::transfer message_;
  bool is_active_ = false;
  std::atomic_flag testing_;
};

/// Throws the error of a message that is longer than the room for it. [bytes]
[[noreturn]] void refuse_truncated(mpi::arrived_message const& message, std::int64_t room);

/// Takes a message from `from` with `tag`, also MPI's wildcards, out of the mailbox, if there is
/// one.
std::unique_ptr<mpi::taken_message> take_message(mpi::context& over, int from, int tag);

} // namespace seam::detail
