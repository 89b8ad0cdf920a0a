#include <seam/exchange/sums/detail/accumulators.hpp>

#include <seam/exchange/agreement/agreement.hpp>
#include <seam/exchange/ground/error.hpp>

namespace seam::detail {
namespace {

[[noreturn]] void refuse_sum(char const* type) {
  throw usage_error(std::string("sum: a sum of integers beyond ") + type +
                        " (expected one that it can hold; values as double have sums of any size) "
                        "[" +
                        where() + "]",
                    true);
}

} // namespace

void integer_total::write_to(std::int64_t* words) const noexcept {
  constexpr wide digit_mask = 0xffff'ffff;
  words[0] = static_cast<std::int64_t>(sum_ & digit_mask);
  words[1] = static_cast<std::int64_t>(sum_ >> 32 & digit_mask);
  words[2] = static_cast<std::int64_t>(sum_ >> 64);
}

void integer_total::read_from(std::int64_t const* words) noexcept {
  constexpr wide digit = wide{1} << 32;
  sum_ = (wide{words[2]} * digit + words[1]) * digit + words[0];
}

std::int64_t integer_total::as_signed() const {
  auto const sum = static_cast<std::int64_t>(sum_);
  if (sum != sum_)
    refuse_sum("std::int64_t");
  return sum;
}

std::uint64_t integer_total::as_unsigned() const {
  auto const sum = static_cast<std::uint64_t>(sum_);
  if (static_cast<wide>(sum) != sum_)
    refuse_sum("std::uint64_t");
  return sum;
}

void require_same_reduction(mpi::comm_view over, std::string const& own) {
  require_same(over, "reduction of all ranks' values:", own);
}

} // namespace seam::detail
