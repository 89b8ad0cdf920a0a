#include <seam/exchange/halo/partitioned_exchange.hpp>

#include <seam/exchange/ground/checks.hpp>
#include <seam/exchange/ground/error.hpp>
#include <seam/exchange/waiting/detail/patience.hpp>
#include <seam/exchange/waiting/stall.hpp>

#include <fmt/format.h>

namespace seam {
using namespace detail;

void await_arrival(in_flight& exchange, int source) {
  if (exchange.arrived(source))
    return;
  call_scope const here = exchange.waiting();
  stall_watch watch;
  for (patience wait; !exchange.arrived(source); wait.pause())
    if (watch.is_due())
      watch.tell(exchange.missing());
}

partitioned_exchange::partitioned_exchange(Halo whole, std::vector<std::int64_t> num_pieces,
                                           std::int64_t num_marks)
    : Halo(std::move(whole)),
      num_pieces_(std::move(num_pieces)),
      left_(num_pieces_.size()),
      marks_(checks_are_on() ? num_marks : 0) {}

void partitioned_exchange::require_complete() {
  check_fields();
  if (!test())
    refuse("halo: the exchange is in flight already (expected wait before the next start)");
  flying_.reset();
}

in_flight& partitioned_exchange::start() {
  require_complete();
  for (auto& mark : marks_)
    mark.store(false, std::memory_order_relaxed);
  for (int e = 0; e < std::ssize(left_); ++e)
    left_[e].begin(num_pieces_[e]);
  flying_.emplace(exchange_.start_gated());
  for (int e = 0; e < std::ssize(left_); ++e)
    if (num_pieces_[e] == 0)
      flying_->open(e);
  return *flying_;
}

in_flight& partitioned_exchange::start_whole() {
  require_complete();
  return flying_.emplace(Halo::start());
}

in_flight& partitioned_exchange::flying(char const* call) {
  if (!flying_)
    refuse(fmt::format("halo: {} before the first start", call));
  return *flying_;
}

bool partitioned_exchange::mark(region const& pieces) {
  if (marks_.empty())
    return true;
  flying("ready");
  bool are_new = true;
  for (std::int64_t i = 0; i < pieces.extent[0]; ++i)
    for (std::int64_t j = 0; j < pieces.extent[1]; ++j)
      for (std::int64_t k = 0; k < pieces.extent[2]; ++k) {
        std::int64_t const piece = pieces.offset + i * pieces.stride[0] + j * pieces.stride[1] + k;
        are_new = !marks_[piece].exchange(true) && are_new;
      }
  return are_new;
}

bool partitioned_exchange::take(in_flight& exchange, int destination, std::int64_t count) {
  std::int64_t const left = left_[destination].take(count);
  if (left == 0)
    exchange.open(destination);
  return left >= 0;
}

} // namespace seam
