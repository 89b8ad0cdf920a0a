/// Partitioned exchanges: halos whose messages leave one by one, each as soon as the pieces of the
/// fields that it carries are ready, and whose edges arrive one by one. The caller decides what a
/// piece is, for example a cell, a tile or a vertex, and counts the pieces of each message.
///
///     partitioned_exchange halo(whole, {2, 1});  // destination 0 gets pieces a and b, 1 gets b
///     halo.start();
///     compute(a);  halo.ready_along(std::array{0});
///     compute(b);  halo.ready_along(std::array{0, 1});  // both messages leave
///     halo.wait_along(std::array{3});                   // until what source 3 sends has arrived
///     halo.wait();
///
/// Source: [Holmes2021] sec. III-B.
#pragma once

#include <seam/exchange/ground/detail/countdown.hpp>
#include <seam/exchange/halo/halo.hpp>
#include <seam/exchange/schedule/detail/region.hpp>

#include <atomic>
#include <optional>
#include <vector>

namespace seam {

/// Returns when the data of edge `source` is in place, making progress; see in_flight::arrived().
/// Reports a stall.
/// Threads: any.
void await_arrival(in_flight& exchange, int source);

/// A halo that can be started with closed gates, one for each destination. Destinations and sources
/// are edges of the halo's plans, numbered plan after plan.
///
/// Threads: starts and wait() by one thread at a time, the others from any.
class partitioned_exchange : public Halo {
public:
  /// @param whole       made with gating::by_edge
  /// @param num_pieces  [destinations] pieces that each message waits for
  /// @param num_marks   pieces that mark() tells apart, if the mode is checked (see checks_are_on)
  /// Local.
  partitioned_exchange(Halo whole, std::vector<std::int64_t> num_pieces,
                       std::int64_t num_marks = 0);

  /// Starts an exchange in which no piece is ready.
  /// @throws usage_error  the exchange before is not complete, or as Halo::start()
  /// Local; no allocation.
  in_flight& start();

  /// Starts an exchange in which all pieces are ready. As above.
  in_flight& start_whole();

  /// In checked mode: marks pieces, and returns false if one of them is marked since the start.
  /// @param pieces  a region of numbers from 0 to num_marks - 1
  bool mark(region const& pieces);
  bool has_marks() const noexcept { return !marks_.empty(); }

  /// Counts count(e) more pieces as ready for each edge e of `destinations`: they have their values
  /// in all fields, which are not written before the exchange is complete. Returns false if a
  /// message waits for fewer pieces.
  /// @throws usage_error  nothing is started
  template <class Edges, class Count>
  bool ready_along(Edges&& destinations, Count const& count) {
    in_flight& exchange = flying("ready");
    bool are_awaited = true;
    for (int const e : destinations)
      are_awaited = take(exchange, e, count(e)) && are_awaited;
    return are_awaited;
  }

  /// Counts one more piece for each of `destinations`. As above.
  template <class Edges>
  bool ready_along(Edges&& destinations) {
    return ready_along(destinations, [](int) { return 1; });
  }

  /// Makes progress; true if the elements of all edges of `sources` have arrived.
  /// @throws usage_error  nothing is started
  template <class Edges>
  bool arrived_along(Edges&& sources) {
    in_flight& exchange = flying("arrived");
    for (int const e : sources)
      if (!exchange.arrived(e))
        return false;
    return true;
  }

  /// Returns when arrived_along(sources). Reports a stall (see stall.hpp).
  template <class Edges>
  void wait_along(Edges&& sources) {
    in_flight& exchange = flying("wait");
    for (int const e : sources)
      await_arrival(exchange, e);
  }

  /// Makes progress; true if complete: all has arrived, and all may be written. True before the
  /// first start, too.
  bool test() { return !flying_ || flying_->test(); }

  /// Returns when complete.
  void wait() { flying("wait").wait(); }

private:
  void require_complete();
  in_flight& flying(char const* call);
  bool take(in_flight& exchange, int destination, std::int64_t count);

  std::vector<std::int64_t> num_pieces_;
  std::vector<detail::countdown> left_;  ///< [destinations] pieces that are not ready
  std::vector<std::atomic<bool>> marks_; ///< [num_marks], or empty
  std::optional<in_flight> flying_;
};

} // namespace seam
