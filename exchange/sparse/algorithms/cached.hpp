/// The cached pattern: each process expects messages from the ranks that sent before, and one bit,
/// combined over all processes meanwhile, tells whether any process sends along a new edge.
#pragma once

#include <seam/exchange/sparse/algorithms/delivery.hpp>
#include <seam/exchange/sparse/algorithms/dissemination.hpp>

#include <seam/exchange/waiting/mpi_bytes.hpp>

#include <memory>
#include <vector>

namespace seam::detail {

/// Every recently used edge carries a frame in each exchange: a short message, or the length of a
/// long one that follows, or the mark of no message. An edge without messages for a few exchanges
/// in a row is forgotten at both ends. Messages to new ranks are delivered by another algorithm, in
/// which all processes take part if the bit is set, and make new edges.
///
/// Cost while the pattern repeats: one message for each edge, none of them synchronous, and at the
/// same time at most log2 P messages of one byte.
class cached final : public delivery {
public:
  /// @param news  delivers along edges that are new
  cached(mpi::comm_view over, delivery& news)
      : over_(over), news_(&news), any_news_(over, tags::dissemination) {}

  void run(std::span<parcel const> out, inbox& in) override;

private:
  /// The message that travels along an edge in each exchange.
  struct frame {
    static constexpr std::int64_t no_message = -1;

    std::int64_t bytes;    ///< of the message
    std::int64_t has_news; ///< whether its sender sends along a new edge
    std::byte text[2032];

    bool holds_text() const noexcept { return bytes <= std::int64_t{sizeof text}; }
    std::span<std::byte> all() { return std::as_writable_bytes(std::span(this, 1)); }
  };

  struct edge {
    explicit edge(int peer) : rank(peer), carried(std::make_unique<frame>()) {}

    void count_absence(bool is_absent) { absences = is_absent ? absences + 1 : 0; }

    int rank;
    int absences = 0; ///< in a row
    std::unique_ptr<frame> carried;
    MPI_Request arrival = MPI_REQUEST_NULL;
  };

  static bool is_among(std::vector<edge> const& edges, int rank);

  void expect_frames();
  void find_new_ranks(std::span<parcel const> out);
  void send_along_edges(std::span<parcel const> out);
  void send_frame(edge& along, parcel const* message);
  bool take_frames(inbox& in);
  void take_frame(edge& along, inbox& in);
  void deliver_news(inbox& in);

  mpi::comm_view over_;
  delivery* news_;
  dissemination any_news_;
  std::vector<edge> in_, out_; ///< by rank
  int num_taken_ = 0;          ///< edges of `in_` whose frames have been taken in this exchange
  std::vector<parcel> to_new_ranks_;
  mpi::requests messages_;
};

} // namespace seam::detail
