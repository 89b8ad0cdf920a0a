/// Sparse patterns of messages of all lengths for tests: every rank knows them all.
#pragma once

#include <cstddef>
#include <random>
#include <vector>

namespace seam::testing {

/// The messages of one exchange: senders, destinations and bytes.
class random_messages {
public:
  /// @param part  the fraction of all pairs of ranks that have a message
  random_messages(int size, unsigned seed, double part) : size_(size), lengths_(pairs()) {
    std::mt19937 random(seed);
    std::bernoulli_distribution sends(part);
    std::discrete_distribution<std::size_t> which({4, 4, 4, 2, 2, 2, 2, 0.5, 0.2});
    for (long& length : lengths_) {
      bool const is_sent = sends(random);
      constexpr long lengths[] = {0, 1, 40, 112, 113, 2000, 5000, 70'000, 300'000};
      length = lengths[which(random)];
      if (!is_sent)
        length = nothing;
    }
  }

  bool has(int from, int to) const { return length(from, to) != nothing; }

  /// Bytes that differ from those of all other messages.
  std::vector<std::byte> bytes(int from, int to) const {
    std::vector<std::byte> all(length(from, to));
    for (std::size_t b = 0; b < all.size(); ++b)
      all[b] = static_cast<std::byte>(31 * static_cast<std::size_t>(from) +
                                      7 * static_cast<std::size_t>(to) + b + all.size());
    return all;
  }

private:
  static constexpr long nothing = -1;

  std::size_t pairs() const { return static_cast<std::size_t>(size_ * size_); }
  long length(int from, int to) const { return lengths_[from * size_ + to]; }

  int size_;
  std::vector<long> lengths_;
};

} // namespace seam::testing
