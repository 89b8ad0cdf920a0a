/// Messages of the watch (watch.hpp). A process whose wait lasts long asks others what they do; each
/// of them answers; and a process that has printed which ranks are missing notifies the others,
/// which need not print the same.
#pragma once

#include <seam/exchange/mpi/comm.hpp>
#include <seam/exchange/mpi/detail/check.hpp>

#include <mpi.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <list>
#include <span>
#include <type_traits>

namespace seam::detail {

enum class watch_tag : int { question, answer, notice };

/// Asks a process how often it has called on a record, and what it does.
struct watch_question {
  static constexpr watch_tag tag = watch_tag::question;

  std::uint64_t id;    ///< of the record
  std::int64_t number; ///< tells the questions of a process apart
};

enum class process_state : std::int32_t { computes, is_in_call, waits, has_left };

/// Tells the process that has asked.
struct watch_answer {
  static constexpr watch_tag tag = watch_tag::answer;

  std::int64_t number; ///< of the question
  std::int64_t count;  ///< of calls on the record
  double since;        ///< the last call began [s], if it computes
  process_state state;
  std::int32_t waits_there;  ///< 1 if it waits in a call on the record
  std::array<char, 64> call; ///< the name of the call that it is in, or of the last; empty: none
};

/// Tells a process that the ranks missing on a record have been reported.
struct watch_notice {
  static constexpr watch_tag tag = watch_tag::notice;

  std::uint64_t id;
  std::int64_t finding; ///< inquiry::finding()
};

/// Messages of the watch that are sent without a wait for them.
class background_sends {
public:
  template <class Message>
  void send(mpi::comm_view over, Message const& message, int to) {
    static_assert(std::is_trivially_copyable_v<Message>, "messages travel as bytes");
    send_bytes(over, std::as_bytes(std::span(&message, 1)), to, Message::tag);
  }

  void erase_complete();

private:
  struct entry {
    MPI_Request request = MPI_REQUEST_NULL;
    std::array<std::byte, std::max(sizeof(watch_question), sizeof(watch_answer))> bytes;
  };

  void send_bytes(mpi::comm_view over, std::span<std::byte const> message, int to, watch_tag as);

  std::list<entry> all_; ///< a list, so that their addresses never change
};

/// Receives the message that a probe has found.
template <class Message>
Message receive_found(mpi::comm_view over, MPI_Status const& found) {
  Message message{};
  mpi::check(MPI_Recv(&message, static_cast<int>(sizeof message), MPI_BYTE, found.MPI_SOURCE,
                      found.MPI_TAG, over.native(), MPI_STATUS_IGNORE),
             "MPI_Recv");
  return message;
}

} // namespace seam::detail
