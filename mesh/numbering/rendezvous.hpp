/// Rendezvous: ranks that know of the same entity, but not of each other, meet where its key says.
///
/// Questions go to ranks, and each answer comes back to the place of its question. No rank waits
/// for others than those that it has to do with.
#pragma once

#include <seam/exchange/sparse/sparse_exchange.hpp>
#include <seam/mesh/numbering/ids.hpp>
#include <seam/mesh/numbering/order.hpp>

#include <algorithm>
#include <cstring>
#include <span>
#include <vector>

namespace seam::detail {

/// Records with the ranks that they came from, by rank and then in the order of sending.
template <class Record>
struct received {
  std::vector<Record> records;
  std::vector<int> senders; ///< [records.size()]
};

/// The positions of the ranks by ascending rank, stably. [ranks.size()]
inline std::vector<std::size_t> order_by_rank(std::span<int const> ranks) {
  return order_by(ranks.size(), [&](std::size_t i) { return ranks[i]; });
}

/// Packs records, those for one rank one behind the other, in the order given.
template <class Record>
void pack_in_order(SparseExchange& through, std::span<Record const> records,
                   std::span<int const> ranks, std::span<std::size_t const> order) {
  for (std::size_t const i : order)
    through.pack_bytes(ranks[i], std::as_bytes(std::span(&records[i], 1)));
}

/// What has arrived, as records.
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

/// Sends record i to ranks[i]. Collective: over `over`.
template <class Record>
received<Record> send_records(Communicator const& over, std::span<Record const> records,
                              std::span<int const> ranks) {
  SparseExchange through(over);
  pack_in_order(through, records, ranks, order_by_rank(ranks));
  through.exchange();
  return unpack_all<Record>(through);
}

/// The answer to each question. [questions.size()]
/// @param answer_all  called once on every rank with what has been received; gives an answer to
///                    each record, in their order; may communicate among all ranks
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
  for (std::size_t i = 0; i < replies.size(); ++i)
    through.pack_bytes(asked.senders[i], std::as_bytes(std::span(&replies[i], 1)));
  through.exchange();
  auto const in_order = unpack_all<Answer>(through);
  std::vector<Answer> answers(questions.size());
  for (std::size_t i = 0; i < order.size(); ++i)
    answers[order[i]] = in_order.records[i];
  return answers;
}

/// The sum of the lower ranks' counts. Collective: over `over`.
std::int64_t sum_before(mpi::comm_view over, std::int64_t count);

/// Where ids of a range meet: blocks of as many ids on each rank, so that what is sorted on each
/// rank is sorted over all.
class home_of_ids {
public:
  /// @param largest  of all ids of all ranks
  home_of_ids(int num_ranks, global_id largest)
      : block_(largest / num_ranks + 1), last_(num_ranks - 1) {}

  /// The last rank for ids beyond the largest.
  int operator()(global_id id) const noexcept {
    return static_cast<int>(std::min(id / block_, last_));
  }

private:
  global_id block_, last_;
};

} // namespace seam::detail
