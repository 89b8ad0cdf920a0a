/// Rendezvous: ranks that have the same entity, but do not know each other, send records to the
/// same third rank, the home of the entity's key.
///
///     rank 0: vertex 7 --> home of 7 <-- vertex 7: rank 5      the home knows of ranks 0 and 5
///
/// ask() sends questions to ranks, and returns each answer in the position of its question. A rank
/// waits only for ranks with which it exchanges records.
#pragma once

#include <seam/exchange/numbering/ids.hpp>
#include <seam/exchange/numbering/order.hpp>
#include <seam/exchange/sparse/sparse_exchange.hpp>

#include <algorithm>
#include <cstring>
#include <span>
#include <vector>

namespace seam::detail {

/// Records with the ranks that sent them, by rank and then in the order of sending.
template <class Record>
struct received {
  std::vector<Record> records;
  std::vector<int> senders; ///< [records.size()]
};

/// The positions in `ranks`, by ascending rank, stably. [ranks.size()]
inline std::vector<std::int64_t> order_by_rank(std::span<int const> ranks) {
  return order_by(std::ssize(ranks), [&](std::int64_t i) { return ranks[i]; });
}

/// Packs records in the given order, in which records for one rank follow each other.
template <class Record>
void pack_in_order(SparseExchange& through, std::span<Record const> records,
                   std::span<int const> ranks, std::span<std::int64_t const> order) {
  for (std::int64_t const i : order)
    through.pack_bytes(ranks[i], std::as_bytes(std::span(&records[i], 1)));
}

/// Unpacks all messages that have arrived, as records.
template <class Record>
received<Record> unpack_all(SparseExchange& through) {
  received<Record> all;
  while (through.receive_message()) {
    auto const bytes = through.unpack_bytes(through.bytes_left());
    std::size_t const before = all.records.size(), count = bytes.size() / sizeof(Record);
    all.records.resize(before + count);
    std::memcpy(static_cast<void*>(all.records.data() + before), bytes.data(), bytes.size());
    all.senders.resize(before + count, through.from());
  }
  return all;
}

/// Sends record i to ranks[i].
/// Collective: over `over`.
template <class Record>
received<Record> send_records(Communicator const& over, std::span<Record const> records,
                              std::span<int const> ranks) {
  SparseExchange through(over);
  pack_in_order(through, records, ranks, order_by_rank(ranks));
  through.exchange();
  return unpack_all<Record>(through);
}

/// Sends questions[i] to ranks[i] and returns the answers. [questions.size()]
/// @param answer_all  called once on every rank with the received questions; returns an answer for
///                    each, in their order; may communicate among all ranks
/// Collective: over `over`.
template <class Answer, class Question, class AnswerAll>
std::vector<Answer> ask(Communicator const& over, std::span<Question const> questions,
                        std::span<int const> ranks, AnswerAll answer_all) {
  SparseExchange through(over);
  auto const order = order_by_rank(ranks);
  pack_in_order(through, questions, ranks, order);
  through.exchange();
  auto const asked = unpack_all<Question>(through);
  std::vector<Answer> const replies = answer_all(asked);
  for (std::int64_t i = 0; i < std::ssize(replies); ++i)
    through.pack_bytes(asked.senders[i], std::as_bytes(std::span(&replies[i], 1)));
  through.exchange();
  auto const in_order = unpack_all<Answer>(through);
  std::vector<Answer> answers(questions.size());
  for (std::int64_t i = 0; i < std::ssize(order); ++i)
    answers[order[i]] = in_order.records[i];
  return answers;
}

/// The home of each id of a range: blocks of equal length on all ranks, so that ids sorted on each
/// rank are sorted over all ranks.
class home_of_ids {
public:
  /// @param largest  the largest id of all ranks
  home_of_ids(int num_ranks, global_id largest)
      : block_(largest / num_ranks + 1), last_(num_ranks - 1) {}

  /// The home of an id; the last rank for ids beyond the largest.
  int operator()(global_id id) const noexcept {
    return static_cast<int>(std::min(id / block_, last_));
  }

private:
  global_id block_, last_;
};

} // namespace seam::detail
