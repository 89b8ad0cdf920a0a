/// Dynamic sparse data exchange: each process sends to any ranks, and does not know before the
/// exchange which ranks send to it.
///
///     SparseExchange exchange(comm);
///     for (vertex const& v : leaving)
///       exchange.pack(v.owner, v.id, v.position, v.name);
///     exchange.exchange();
///     while (exchange.receive()) {                    // once for each vertex, by sender
///       auto const id = exchange.unpack<global_id>();
///       auto const position = exchange.unpack<std::array<double, 3>>();
///       remember(id, position, exchange.unpack<std::string>(), exchange.from());
///       exchange.pack(exchange.from(), id);           // the next exchange's message
///     }
///     exchange.exchange();
///
/// All values that are packed for one destination are one message, delivered even if it is empty.
///
/// Source: [Ibanez2015].
#pragma once

#include <seam/exchange/communicator/communicator.hpp>
#include <seam/exchange/ground/error.hpp>
#include <seam/exchange/sparse/message.hpp>

#include <span>
#include <string_view>
#include <type_traits>

namespace seam {

/// The algorithms, which deliver the same messages; see the files of exchange/sparse/algorithms.
enum class sparse_algorithm {
  automatic, ///< the fastest in the first exchanges
  consensus, ///< synchronous sends and a nonblocking barrier: O(log P) time, O(1) memory
  counts,    ///< a reduce_scatter of the numbers of messages: O(P) time and memory
  two_level, ///< shared memory on nodes (if it is on), one message from node to node
  cached     ///< remembers edges: for patterns that repeat; log P short messages besides
};

/// The order in which messages are received.
enum class receive_order {
  by_sender, ///< by rank: the same in every run of a program
  by_arrival ///< unsorted: differs from run to run
};

/// The states of [Ibanez2015] sec. 4.4, by which wrong orders of calls are found.
enum class sparse_state {
  uninit,  ///< belongs to no communicator
  idle,    ///< nothing packed, nothing to unpack
  pack,    ///< messages to send
  unpack,  ///< messages to unpack
  bothpack ///< both: the next exchange is packed while the last is unpacked
};

/// "IDLE", as in the paper.
std::string_view name_of(sparse_state state) noexcept;

/// All algorithms, in the order of the enumeration. Local.
std::span<sparse_algorithm const> sparse_algorithms() noexcept;

/// "consensus", as in the enumeration.
/// @throws usage_error  there is no such algorithm
std::string_view name_of(sparse_algorithm algorithm);

struct sparse_options {
  sparse_algorithm algorithm = sparse_algorithm::automatic;
  receive_order order = receive_order::by_sender;
};

/// Packs, exchanges and unpacks messages, any number of times.
///
/// Exchanges of this or another object may follow each other at once: their messages never mix with
/// each other's nor with other messages. A mistake is a usage_error of this rank that names the
/// call and the state; in checked mode (see checks.hpp) all ranks throw the errors of exchange().
///
/// Threads: one at a time for all objects over the same communicator.
class SparseExchange {
public:
  /// Makes an object in state UNINIT, which can only be assigned to.
  SparseExchange();

  /// Makes an object for messages between any processes of `over`, also without edges between them.
  ///
  /// @throws usage_error  on all ranks: `over` is bipartite; in checked mode also if algorithms
  ///         differ
  /// Collective: over `over`, in the same order on all ranks, as all its exchanges.
  explicit SparseExchange(Communicator const& over, sparse_options options = {});

  SparseExchange(SparseExchange&&) noexcept;
  SparseExchange& operator=(SparseExchange&&) noexcept;
  ~SparseExchange();

  /// Adds values to the message to rank `to`, of any type that serialize.hpp knows. Without values
  /// it makes a message, too.
  ///
  /// @throws usage_error  `to` is no rank; state UNINIT
  /// Local. Source: [Ibanez2015] sec. 3.1 (COMM_PACK), as of the other calls.
  template <class... T>
  void pack(int to, T const&... values) {
    message_to(to).pack(values...);
  }

  /// Adds bytes as they are, without their number. As pack().
  void pack_bytes(int to, std::span<std::byte const> bytes) { message_to(to).pack_bytes(bytes); }

  /// Sends the packed messages and receives the messages that others have packed for this process.
  ///
  /// @throws usage_error  state UNPACK or BOTHPACK: messages are left to receive; state UNINIT
  /// Collective.
  /// Cost: see sparse_algorithm; once messages repeat, no allocation.
  void exchange();

  /// Stays at the current message if it has bytes left, otherwise advances to the next, which may
  /// be empty. False when all messages have been unpacked; the state is IDLE or PACK then.
  ///
  /// @throws usage_error  no exchange before; of a message with bytes left none have been unpacked
  ///         since the last call
  /// Local.
  bool receive();

  /// Advances to the next message. False when there is none, as receive().
  ///
  /// @throws usage_error  no exchange before; bytes of the last message have not been unpacked
  /// Local.
  bool receive_message();

  /// Takes values, of the types and in the order in which they were packed; spans are filled.
  ///
  /// @throws usage_error  no message has been received; the message ends before
  /// Local.
  template <class... T>
  void unpack(T&... values) {
    incoming_message& now = message_for("unpack");
    naming_state([&] { now.unpack(values...); });
  }
  template <class T>
  T unpack() {
    incoming_message& now = message_for("unpack");
    return naming_state([&] { return now.unpack<T>(); });
  }

  /// The next `count` bytes as they are, until the next exchange(). As unpack().
  std::span<std::byte const> unpack_bytes(std::int64_t count) {
    incoming_message& now = message_for("unpack_bytes");
    return naming_state([&] { return now.unpack_bytes(count); });
  }

  /// The sender of the message that is being unpacked.
  ///
  /// @throws usage_error  no message has been received
  /// Local.
  int from() const { return message_for("from").source(); }

  /// Bytes of the current message that have not been unpacked. As from().
  std::int64_t bytes_left() const { return message_for("bytes_left").bytes_left(); }

  sparse_state state() const noexcept;

  /// The algorithm of the next exchange: as given or chosen; automatic before the choice. Local.
  /// @throws usage_error  state UNINIT
  sparse_algorithm algorithm() const;

  /// Leaves the communicator: state UNINIT. Local.
  /// @throws usage_error  not in state IDLE
  void close();

private:
  void exchange_named();
  struct parts;

  outgoing_message& message_to(int to);
  incoming_message& message_for(char const* call) const;
  parts& parts_in(char const* call, bool allowed, char const* expected) const;
  parts& parts_to_exchange() const;
  bool advance_message();

  /// Calls `read`, and adds the state to its errors.
  template <class F>
  std::invoke_result_t<F> naming_state(F const& read) const {
    try {
      return read();
    } catch (usage_error const& problem) {
      refuse_naming_state(problem);
    }
  }
  [[noreturn]] void refuse_naming_state(usage_error const& problem) const;

  std::unique_ptr<parts> parts_;
};

} // namespace seam
