#include <seam/exchange/calls/detail/call_key.hpp>

#include <algorithm>

namespace seam::detail {

bool operator==(call_key const& a, call_key const& b) noexcept {
  return a.length_ == b.length_ && std::equal(a.numbers(), a.numbers() + a.length_, b.numbers());
}

void call_key::take_few(call_key const& other) noexcept {
  if (length_ <= most_few)
    std::copy_n(other.few_.begin(), length_, few_.begin());
}

void call_key::append_list(std::span<elements const> blocks) {
  append(blocks.size());
  MPI_Datatype last = MPI_DATATYPE_NULL;
  std::uintptr_t type = mpi::number_of_type(last);
  std::uintptr_t* next = extend(3 * std::ssize(blocks));
  for (elements const& values : blocks) {
    if (values.type != last)
      type = mpi::number_of_type(last = values.type);
    *next++ = reinterpret_cast<std::uintptr_t>(values.data);
    *next++ = static_cast<std::uintptr_t>(values.count);
    *next++ = type;
  }
}

void call_key::add_counts(std::span<int const> counts) {
  append(counts.size());
  std::ranges::copy(counts, extend(std::ssize(counts)));
}

std::uintptr_t* call_key::extend(std::ptrdiff_t count) {
  std::ptrdiff_t const before = std::exchange(length_, length_ + count);
  if (length_ <= most_few)
    return few_.data() + before;
  if (many_.empty())
    many_.assign(few_.begin(), few_.begin() + before);
  many_.resize(length_);
  return many_.data() + before;
}

} // namespace seam::detail
