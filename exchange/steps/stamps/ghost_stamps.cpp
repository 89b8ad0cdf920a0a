#include <seam/exchange/steps/stamps/ghost_stamps.hpp>

#include <seam/exchange/steps/stamps/loop_in_place.hpp>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <mutex>

namespace seam::detail {
namespace {

constexpr int most_threads = 64;

/// The numbers of threads that touch fields; a number is free again when its thread has ended.
class thread_numbers {
public:
  /// @return  most_threads if there are too many
  int take() {
    std::lock_guard const lock(mutex_);
    int const free = std::ranges::find(is_taken_, false) - is_taken_.begin();
    if (free < most_threads)
      is_taken_[free] = true;
    return free;
  }
  void give_back(int number) {
    std::lock_guard const lock(mutex_);
    if (number < most_threads)
      is_taken_[number] = false;
  }

private:
  std::mutex mutex_;
  std::array<bool, most_threads> is_taken_{};
};

thread_numbers& all_numbers() {
  static auto* const all = new thread_numbers; // outlives all threads
  return *all;
}

struct own_number {
  int const number = all_numbers().take();
  own_number() = default;
  own_number(own_number const&) = delete;
  own_number& operator=(own_number const&) = delete;
  ~own_number() { all_numbers().give_back(number); }
};

int number_of_thread() {
  static thread_local own_number const own;
  return own.number;
}

std::uint64_t hash_of(std::byte const* bytes, std::int64_t count) {
  std::uint64_t hash = 14695981039346656037U;
  for (std::int64_t k = 0; k < count; ++k)
    hash = (hash ^ static_cast<std::uint64_t>(bytes[k])) * 1099511628211U;
  return hash;
}

template <std::size_t N>
std::array<std::byte, N> kept(std::byte const* bytes, std::int64_t count) {
  std::array<std::byte, N> value{};
  if (count <= static_cast<std::int64_t>(N)) {
    std::memcpy(value.data(), bytes, count);
  } else {
    std::uint64_t const hash = hash_of(bytes, count);
    std::memcpy(value.data(), &hash, sizeof hash);
  }
  return value;
}

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

stale_ghost_handler set_stale_ghost_handler(stale_ghost_handler handler) {
  return handler_of_all.exchange(handler);
}

ghost_stamps::ghost_stamps(std::byte* memory, std::int64_t element_bytes, bool is_bool,
                           std::vector<element_kind> kinds, words_of_ghost words_of)
    : memory_(memory),
      element_bytes_(element_bytes),
      bits_of_evidence_(is_bool ? 1
                                : static_cast<int>(std::min<std::int64_t>(element_bytes, 4)) * 8),
      kinds_(std::move(kinds)),
      words_of_(std::move(words_of)),
      stamps_(std::make_unique<std::atomic<stamp>[]>(kinds_.size())),
      slots_(std::make_unique<slot[]>(most_threads)) {}

/// Evidence for reads of poison that is enough: values of fewer bits may be poison by chance.
constexpr int enough_bits = 32;

ghost_stamps::slot* ghost_stamps::own_slot() {
  int const number = number_of_thread();
  return number < most_threads ? &slots_[number] : nullptr;
}

bool ghost_stamps::is_current(std::int64_t ghost) const {
  stamp const its = stamps_[ghost].load(std::memory_order_relaxed);
  return its >= epoch_.load(std::memory_order_relaxed) ||
         (its == of_new_buffer && !is_written_.load(std::memory_order_relaxed));
}

void ghost_stamps::read_ghost(std::int64_t ghost) {
  settle();
  if (!is_current(ghost))
    return report(ghost);
  note_read(ghost);
  if (!is_sealed_.load(std::memory_order_relaxed))
    is_sealed_.store(true, std::memory_order_relaxed);
}

/// A value that was filled for the next epoch, too, has been used in this one.
void ghost_stamps::note_read(std::int64_t ghost) {
  stamp const epoch = epoch_.load(std::memory_order_relaxed);
  if (stamps_[ghost].load(std::memory_order_relaxed) == epoch + 1)
    stamps_[ghost].store(epoch, std::memory_order_relaxed);
}

/// A loop that fills ghosts may change owned values in between: what it fills before the first
/// change is as new as what it fills behind.
void ghost_stamps::write_by_hand(std::int64_t ghost) {
  stamp const epoch = epoch_.load(std::memory_order_relaxed);
  bool const is_sealed = is_sealed_.load(std::memory_order_relaxed);
  stamps_[ghost].store(epoch + (is_sealed ? 1 : 0), std::memory_order_relaxed);
}

void ghost_stamps::touch_outer(std::int64_t element) {
  slot* const mine = own_slot();
  if (mine == nullptr)
    return;
  settle(mine->pending);
  bool const is_stale = is_ghost(kinds_[element]) && !is_current(element);
  if (is_stale)
    poison(element);
  note_pending(*mine, element, 1, is_stale);
}

void ghost_stamps::touch_row(std::int64_t element, std::int64_t count) {
  slot* const mine = own_slot();
  if (mine == nullptr)
    return;
  settle(mine->pending);
  bool has_rim = false;
  for (std::int64_t e = element; e < element + count; ++e)
    if (is_ghost(kinds_[e]))
      write_by_hand(e);
    else
      has_rim = has_rim || kinds_[e] == element_kind::rim;
  if (has_rim)
    note_pending(*mine, element, count, false);
}

void ghost_stamps::note_pending(slot& mine, std::int64_t element, std::int64_t count,
                                bool is_of_poison) {
  pending_access& noted = mine.pending;
  noted.at = address_of(element);
  noted.bytes = count * element_bytes_;
  noted.element = element;
  noted.num_events = num_events_.load(std::memory_order_relaxed);
  noted.is_of_poison = is_of_poison;
  noted.before = kept<kept_bytes>(noted.at, noted.bytes);
}

void ghost_stamps::settle() {
  if (slot* const mine = own_slot())
    settle(mine->pending);
}

void ghost_stamps::settle_all() {
  for (int t = 0; t < most_threads; ++t)
    settle(slots_[t].pending);
}

void ghost_stamps::settle(pending_access& access) {
  if (access.at == nullptr)
    return;
  bool const has_changed = kept<kept_bytes>(access.at, access.bytes) != access.before;
  bool const is_old = access.num_events != num_events_.load(std::memory_order_relaxed);
  access.at = nullptr;
  if (access.is_of_poison)
    return settle_poison(access, has_changed);
  if (is_old)
    return; // an exchange, or whatever else has changed the value, came behind the access
  if (!is_ghost(kinds_[access.element])) {
    if (has_changed)
      note_write_of_rim();
  } else if (has_changed) {
    write_by_hand(access.element);
  } else {
    note_read(access.element);
  }
}

/// A value of few bits may have been replaced by what the poison was by chance: it counts as filled,
/// until several in turn look like that.
void ghost_stamps::settle_poison(pending_access const& access, bool has_changed) {
  bool const may_be_chance = bits_of_evidence_ < enough_bits;
  if (has_changed)
    evidence_ = 0;
  if ((has_changed || may_be_chance) &&
      access.num_events == num_events_.load(std::memory_order_relaxed))
    write_by_hand(access.element);
  if (!has_changed && evidence_.fetch_add(bits_of_evidence_) + bits_of_evidence_ >= enough_bits) {
    evidence_ = 0;
    report(access.element);
  }
}

void ghost_stamps::note_write_of_rim() {
  if (num_in_place_.load(std::memory_order_relaxed) > 0)
    is_written_in_place_ = true;
  else if (num_exchanges_.load(std::memory_order_relaxed) == 0)
    raise_epoch();
  else
    is_written_ = true; // the values leave with the exchange
}

/// Several threads may come here at once; epochs that are left out do no harm.
void ghost_stamps::raise_epoch() {
  if (!is_written_.load(std::memory_order_relaxed))
    is_written_.store(true, std::memory_order_relaxed);
  if (is_sealed_.load(std::memory_order_relaxed) && is_sealed_.exchange(false))
    epoch_.fetch_add(1);
}

void ghost_stamps::seal() {
  num_events_.fetch_add(1);
  is_sealed_ = true;
}

void ghost_stamps::note_change() {
  settle();
  seal();
  raise_epoch();
}

void ghost_stamps::vouch_for_ghosts() {
  settle();
  num_events_.fetch_add(1);
  for (std::int64_t e = 0; e < std::ssize(kinds_); ++e)
    if (is_ghost(kinds_[e]))
      write_by_hand(e);
}

void ghost_stamps::note_filled(std::int64_t ghost, std::int64_t inside, bool is_fixed) {
  if (is_fixed)
    return stamps_[ghost].store(forever, std::memory_order_relaxed);
  if (!may_be_read(inside))
    return;
  stamps_[ghost].store(epoch_.load(std::memory_order_relaxed), std::memory_order_relaxed);
  if (!is_sealed_.load(std::memory_order_relaxed))
    is_sealed_ = true;
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
    poison(e);
    stamps_[e].store(in_flight, std::memory_order_relaxed);
  });
}

void ghost_stamps::arrive(region const& elements, bool out_of_reach_too) {
  stamp const epoch = epoch_.load(std::memory_order_relaxed);
  bool has_rim = false;
  for_each_element(elements, [&](std::int64_t e) {
    if (!is_ghost(kinds_[e]))
      has_rim = true;
    else if (out_of_reach_too || kinds_[e] == element_kind::ghost)
      stamps_[e].store(epoch, std::memory_order_relaxed);
  });
  if (has_rim) {
    seal();
    raise_epoch();
  }
}

void ghost_stamps::end_exchange() {
  num_exchanges_.fetch_sub(1);
  seal();
}

void ghost_stamps::take_state(ghost_stamps const& other) {
  epoch_ = other.epoch_.load();
  is_sealed_ = other.is_sealed_.load();
  is_written_ = other.is_written_.load();
}

void ghost_stamps::take_stamps(ghost_stamps const& other, std::int64_t from, std::int64_t to,
                               std::int64_t count) {
  for (std::int64_t k = 0; k < count; ++k)
    stamps_[to + k] = other.stamps_[from + k].load();
}

/// Bytes of not-a-numbers with a payload. Values that may be poison by chance change each time.
void ghost_stamps::poison(std::int64_t ghost) {
  std::byte* const at = address_of(ghost);
  if (bits_of_evidence_ >= enough_bits) {
    constexpr std::uint32_t pattern = 0x7ffc5ea3; // ends a float and a double that are quiet NaNs
    for (std::int64_t k = 0; k < element_bytes_; ++k)
      at[k] = static_cast<std::byte>(pattern >> 8 * ((k + 4 - element_bytes_ % 4) % 4));
    return;
  }
  static thread_local std::uint32_t random = 2463534242;
  random ^= random << 13U, random ^= random >> 17U, random ^= random << 5U;
  for (std::int64_t k = 0; k < element_bytes_; ++k)
    at[k] = static_cast<std::byte>(bits_of_evidence_ == 1 ? random >> 7U & 1U : random >> 8U * k);
}

void ghost_stamps::report(std::int64_t ghost) {
  stale_reason why = stale_reason::has_changed;
  stamp const its = stamps_[ghost].load(std::memory_order_relaxed);
  if (its == in_flight && num_exchanges_.load(std::memory_order_relaxed) > 0)
    why = stale_reason::is_in_flight;
  else if (its == of_new_buffer)
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
