#include <seam/exchange/steps/stamps/last_touches.hpp>

#include <seam/exchange/ground/digest.hpp>

#include <algorithm>
#include <cstring>
#include <mutex>
#include <string_view>

namespace seam::detail {
namespace {

constexpr int most_threads = last_touches::most_threads;

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
  std::string_view const text(reinterpret_cast<char const*>(bytes), count);
  return digest().add(text).value();
}

} // namespace

last_touches::last_touches() : slots_(std::make_unique<slot[]>(most_threads)) {}

bool last_touches::are_noted() { return number_of_thread() < most_threads; }

std::array<std::byte, last_touches::kept_bytes> last_touches::kept(std::byte const* bytes,
                                                                   std::int64_t count) {
  std::array<std::byte, kept_bytes> value{};
  if (count <= static_cast<std::int64_t>(kept_bytes)) {
    std::memcpy(value.data(), bytes, count);
  } else {
    std::uint64_t const hash = hash_of(bytes, count);
    std::memcpy(value.data(), &hash, sizeof hash);
  }
  return value;
}

void last_touches::note(std::byte const* at, std::int64_t bytes, noted_touch const& of) {
  if (are_noted())
    slots_[number_of_thread()] = {at, bytes, of, kept(at, bytes)};
}

std::optional<noted_touch> last_touches::take() {
  return are_noted() ? take(number_of_thread()) : std::nullopt;
}

std::optional<noted_touch> last_touches::take(int thread) {
  slot& noted = slots_[thread];
  if (noted.at == nullptr)
    return std::nullopt;
  noted.of.has_changed = kept(noted.at, noted.bytes) != noted.before;
  noted.at = nullptr;
  return noted.of;
}

} // namespace seam::detail
