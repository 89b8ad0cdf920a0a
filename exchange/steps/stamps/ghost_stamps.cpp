#include <seam/exchange/steps/stamps/ghost_stamps.hpp>

#include <seam/exchange/steps/stamps/loop_in_place.hpp>

#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>
#include <exception>

namespace seam::detail {
namespace {

void end_program(std::string const& line) {
  std::fprintf(stderr, "seam: %s\n", line.c_str());
  std::abort();
}

std::atomic<stale_ghost_handler> handler_of_all{end_program};

/// Calls visit(element) for each element of a region.
template <class Visit>
void for_each_element(region const& where, Visit const& visit) {
  for (std::int64_t i = 0; i < where.extent[0]; ++i)
    for (std::int64_t j = 0; j < where.extent[1]; ++j)
      for (std::int64_t k = 0; k < where.extent[2]; ++k)
        visit(where.offset + i * where.stride[0] + j * where.stride[1] + k);
}

} // namespace

char const* words_of_stale(stale_reason why) {
  switch (why) {
  case stale_reason::is_in_flight: return "is on its way";
  case stale_reason::was_never_filled: return "no exchange has filled";
  case stale_reason::has_changed: break;
  }
  return "is out of date";
}

std::string expected_exchange(char const* name, stale_reason why) {
  if (why == stale_reason::is_in_flight)
    return "wait() for the exchange that is in flight, before the read";
  return fmt::format("a run of a halo of '{}', as make_halo({}).run(), behind its last write", name,
                     name);
}

stale_ghost_handler set_stale_ghost_handler(stale_ghost_handler handler) {
  return handler_of_all.exchange(handler);
}

ghost_stamps::ghost_stamps(std::byte* memory, std::int64_t element_bytes, bool is_bool,
                           std::vector<element_kind> kinds, words_of_ghost words_of)
    : memory_(memory),
      element_bytes_(element_bytes),
      kinds_(std::move(kinds)),
      words_of_(std::move(words_of)),
      epochs_(kinds_.size()),
      poison_(element_bytes, is_bool) {}

void ghost_stamps::read_ghost(std::int64_t ghost) {
  settle();
  if (!is_current(ghost))
    return report(ghost);
  epochs_.note_read(ghost);
  epochs_.seal();
}

void ghost_stamps::touch_outer(std::int64_t element) {
  if (!last_touches::are_noted())
    return;
  settle();
  bool const is_stale = is_ghost(kinds_[element]) && !is_current(element);
  if (is_stale)
    poison_.put(address_of(element));
  note_touch(element, 1, is_stale);
}

void ghost_stamps::touch_row(std::int64_t element, std::int64_t count) {
  if (!last_touches::are_noted())
    return;
  settle();
  bool has_rim = false;
  for (std::int64_t e = element; e < element + count; ++e)
    if (is_ghost(kinds_[e]))
      epochs_.fill_by_hand(e);
    else
      has_rim = has_rim || kinds_[e] == element_kind::rim;
  if (has_rim)
    note_touch(element, count, false);
}

void ghost_stamps::note_touch(std::int64_t element, std::int64_t count, bool is_of_poison) {
  std::uint64_t const num_events = num_events_.load(std::memory_order_relaxed);
  touches_.note(address_of(element), count * element_bytes_, {element, num_events, is_of_poison});
}

void ghost_stamps::settle() {
  if (auto const last = touches_.take())
    settle(*last);
}

void ghost_stamps::settle_all() {
  for (int t = 0; t < last_touches::most_threads; ++t)
    if (auto const last = touches_.take(t))
      settle(*last);
}

void ghost_stamps::settle(noted_touch const& last) {
  // Else an exchange, or whatever else has changed the value, came behind the access.
  bool const is_recent = last.num_events == num_events_.load(std::memory_order_relaxed);
  if (last.is_of_poison) {
    // What may be poison by chance counts as filled, until several in turn look like that.
    if (is_recent && (last.has_changed || poison_.may_be_chance()))
      epochs_.fill_by_hand(last.element);
    if (poison_.is_read(last.has_changed))
      report(last.element);
  } else if (is_recent && !is_ghost(kinds_[last.element])) {
    if (last.has_changed)
      note_write_of_rim();
  } else if (is_recent && last.has_changed) {
    epochs_.fill_by_hand(last.element);
  } else if (is_recent) {
    epochs_.note_read(last.element);
  }
}

void ghost_stamps::note_write_of_rim() {
  if (num_in_place_.load(std::memory_order_relaxed) > 0)
    is_written_in_place_ = true;
  else if (num_exchanges_.load(std::memory_order_relaxed) == 0)
    epochs_.note_change();
  else
    epochs_.note_written(); // the values leave with the exchange
}

/// What threads have touched may have changed for other reasons from now on, and ghosts may have been
/// brought up to date.
void ghost_stamps::note_event() {
  num_events_.fetch_add(1);
  epochs_.seal();
}

void ghost_stamps::note_change() {
  settle();
  note_event();
  epochs_.note_change();
}

void ghost_stamps::vouch_for_ghosts() {
  settle();
  num_events_.fetch_add(1);
  for (std::int64_t e = 0; e < std::ssize(kinds_); ++e)
    if (is_ghost(kinds_[e]))
      epochs_.fill_by_hand(e);
}

void ghost_stamps::note_filled(std::int64_t ghost, std::int64_t inside, bool is_fixed) {
  if (is_fixed)
    return epochs_.fill_forever(ghost);
  if (!may_be_read(inside))
    return;
  epochs_.fill(ghost);
  epochs_.seal();
}

void ghost_stamps::end_in_place() {
  settle();
  if (num_in_place_.fetch_sub(1) == 1 && is_written_in_place_.exchange(false))
    note_change();
}

void ghost_stamps::begin_exchange() {
  settle();
  num_exchanges_.fetch_add(1);
  num_events_.fetch_add(1);
}

void ghost_stamps::expect(region const& elements) {
  for_each_element(elements, [this](std::int64_t e) {
    if (!is_ghost(kinds_[e]))
      return;
    poison_.put(address_of(e));
    epochs_.expect(e);
  });
}

void ghost_stamps::arrive(region const& elements, bool out_of_reach_too) {
  bool has_rim = false;
  for_each_element(elements, [&](std::int64_t e) {
    if (!is_ghost(kinds_[e]))
      has_rim = true;
    else if (out_of_reach_too || kinds_[e] == element_kind::ghost)
      epochs_.fill(e);
  });
  if (has_rim) {
    note_event();
    epochs_.note_change();
  }
}

void ghost_stamps::end_exchange() {
  num_exchanges_.fetch_sub(1);
  note_event();
}

void ghost_stamps::report(std::int64_t ghost) {
  stale_reason why = stale_reason::has_changed;
  if (epochs_.is_in_flight(ghost) && num_exchanges_.load(std::memory_order_relaxed) > 0)
    why = stale_reason::is_in_flight;
  else if (epochs_.was_never_filled(ghost))
    why = stale_reason::was_never_filled;
  handler_of_all.load()(words_of_(name_.load(std::memory_order_relaxed), ghost, why));
}

namespace {

/// Settles the last accesses of memory and lets go of it.
struct end_of_stamps {
  std::shared_ptr<std::byte> memory;
  std::shared_ptr<ghost_stamps> stamps;

  void operator()(std::byte*) {
    if (std::uncaught_exceptions() == 0)
      stamps->settle_all();
    memory.reset();
  }
};

} // namespace

std::shared_ptr<std::byte> with_stamps(std::shared_ptr<std::byte> const& memory,
                                       std::shared_ptr<ghost_stamps> const& stamps) {
  return {memory.get(), end_of_stamps{memory, stamps}};
}

std::shared_ptr<ghost_stamps> stamps_of(std::shared_ptr<std::byte> const& memory) {
  auto const* const end = std::get_deleter<end_of_stamps>(memory);
  return end == nullptr ? nullptr : end->stamps;
}

loop_in_place::loop_in_place(std::shared_ptr<std::byte> const& buffer)
    : stamps_(stamps_of(buffer)) {
  if (stamps_)
    stamps_->begin_in_place();
}

loop_in_place::~loop_in_place() {
  if (stamps_)
    stamps_->end_in_place();
}

} // namespace seam::detail
