/// The cached pattern: whoever sent before is expected to send again, and one bit, told to
/// everybody meanwhile, says that nobody sends to anybody new.
#pragma once

#include <seam/exchange/sparse/algorithms/delivery.hpp>
#include <seam/exchange/sparse/algorithms/dissemination.hpp>

#include <seam/exchange/waiting/mpi_bytes.hpp>

#include <memory>
#include <vector>

namespace seam::detail {

/// Every edge that has been used lately carries a frame in each exchange: a short message, or the
/// length of a long one that follows, or that there is none. An edge that has carried none a few
/// times in a row is forgotten at both ends. What goes to anybody new is delivered by another
/// algorithm, in which all take part if the bit is set, and makes a new edge.
///
/// As long as the pattern repeats: a message for each edge, none of them synchronous, and at most
/// log2 P of one byte that travel at the same time.
class cached final : public delivery {
public:
  /// @param news  delivers along edges that are new
  cached(mpi::comm_view over, delivery& news)
      : over_(over), news_(&news), anything_new_(over, tags::dissemination) {}

  void run(std::span<parcel const> out, inbox& in) override;

private:
  /// What travels along an edge in each exchange.
  struct frame {
    static constexpr std::int64_t no_message = -1;

    std::int64_t bytes;    ///< of the message
    std::int64_t has_news; ///< whether its sender sends to anybody new
    std::byte text[2032];

    bool holds_text() const noexcept { return bytes <= std::int64_t{sizeof text}; }
    std::span<std::byte> all() { return std::as_writable_bytes(std::span(this, 1)); }
  };

  struct edge {
    explicit edge(int other_end) : rank(other_end), carried(std::make_unique<frame>()) {}

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
  void send(edge& along, parcel const* what);
  bool take_frames(inbox& in);
  void take(edge& along, inbox& in);
  void deliver_news(inbox& in);

  mpi::comm_view over_;
  delivery* news_;
  dissemination anything_new_;
  std::vector<edge> in_, out_; ///< by rank
  std::size_t num_taken_ = 0;  ///< frames of the current exchange, of the first edges in
  std::vector<parcel> to_new_ranks_;
  mpi::requests messages_;
};

} // namespace seam::detail
