#include <seam/exchange/exact_sum.hpp>

#include <seam/exchange/mpi/collective.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>

namespace seam {
namespace {

/// A value in pieces of so few bits that the integers that count them cannot overflow.
class pieces {
public:
  static constexpr int count = 4;

  /// @param exponent  all values are below 2^exponent
  /// @param num_bits  of a piece
  pieces(int exponent, int num_bits) : exponent_(exponent), num_bits_(num_bits) {}

  void add(double value) {
    for (int p = 0; p < count; ++p) {
      double const whole = std::trunc(std::ldexp(value, -place(p)));
      sums[static_cast<std::size_t>(p)] += static_cast<std::int64_t>(whole);
      value -= std::ldexp(whole, place(p));
    }
  }

  double sum() const {
    double all = 0;
    for (int p = count - 1; p >= 0; --p)
      all += std::ldexp(static_cast<double>(sums[static_cast<std::size_t>(p)]), place(p));
    return all;
  }

  std::array<std::int64_t, count> sums{};

private:
  /// The exponent of the piece's unit.
  int place(int piece) const noexcept { return exponent_ - (piece + 1) * num_bits_; }

  int exponent_, num_bits_;
};

/// The largest size of all ranks' values; infinite if one is no number.
double largest_size(mpi::comm_view over, std::span<double const> values) {
  double largest = 0;
  for (double const value : values)
    largest = std::isfinite(value) ? std::max(largest, std::abs(value))
                                   : std::numeric_limits<double>::infinity();
  return mpi::allreduce(over, largest, MPI_MAX);
}

} // namespace

double exact_sum(mpi::comm_view over, std::span<double const> values) {
  double const largest = largest_size(over, values);
  auto const number = mpi::allreduce(over, std::int64_t(std::ssize(values)), MPI_SUM);
  if (largest == 0)
    return 0;
  if (std::isinf(largest)) {
    double sum = 0;
    for (double const value : values)
      sum += value;
    return mpi::allreduce(over, sum, MPI_SUM);
  }
  pieces all(std::ilogb(largest) + 1, 62 - std::ilogb(static_cast<double>(number)));
  for (double const value : values)
    all.add(value);
  mpi::allreduce(over, std::span<std::int64_t>(all.sums), MPI_SUM);
  return all.sum();
}

} // namespace seam
