#include <seam/exchange/pack.hpp>

#include <seam/exchange/error.hpp>

#include <algorithm>
#include <cstring>

namespace seam {
namespace {

/// From one row to the next on either side, at both levels [bytes].
struct row_steps {
  std::array<std::int64_t, 2> from, into;
};

template <class Move>
void for_each_row(std::byte const* from, std::byte* into, std::array<std::int64_t, 2> rows,
                  row_steps steps, Move move) {
  for (std::int64_t i = 0; i < rows[0]; ++i)
    for (std::int64_t j = 0; j < rows[1]; ++j)
      move(into + i * steps.into[0] + j * steps.into[1],
           from + i * steps.from[0] + j * steps.from[1]);
}

template <std::size_t Bytes>
void move_rows_of(std::byte const* from, std::byte* into, std::array<std::int64_t, 2> rows,
                  row_steps steps) {
  for_each_row(from, into, rows, steps,
               [](std::byte* to, std::byte const* row) { std::memcpy(to, row, Bytes); });
}

/// Short rows, the faces across the contiguous axis, move as single words.
void move_rows(std::byte const* from, std::byte* into, std::array<std::int64_t, 2> rows,
               std::int64_t row_bytes, row_steps steps, combiner combine) {
  if (combine != nullptr)
    return for_each_row(from, into, rows, steps,
                        [&](std::byte* to, std::byte const* row) { combine(to, row, row_bytes); });
  switch (row_bytes) {
  case 1: return move_rows_of<1>(from, into, rows, steps);
  case 2: return move_rows_of<2>(from, into, rows, steps);
  case 4: return move_rows_of<4>(from, into, rows, steps);
  case 8: return move_rows_of<8>(from, into, rows, steps);
  case 16: return move_rows_of<16>(from, into, rows, steps);
  case 24: return move_rows_of<24>(from, into, rows, steps);
  case 32: return move_rows_of<32>(from, into, rows, steps);
  default:
    for_each_row(from, into, rows, steps, [&](std::byte* to, std::byte const* row) {
      std::memcpy(to, row, static_cast<std::size_t>(row_bytes));
    });
  }
}

/// A position in a block that moves on by any number of bytes, row after row.
class cursor {
public:
  explicit cursor(block const& rows) : rows_(rows) {}

  std::byte* at() const {
    auto const i = row_ / rows_.rows[1], j = row_ % rows_.rows[1];
    return rows_.first + i * rows_.stride[0] + j * rows_.stride[1] + in_row_;
  }
  std::int64_t left_in_row() const { return rows_.row_bytes - in_row_; }

  void advance(std::int64_t bytes) {
    in_row_ += bytes;
    if (in_row_ == rows_.row_bytes) {
      in_row_ = 0;
      ++row_;
    }
  }

private:
  block const& rows_;
  std::int64_t row_ = 0, in_row_ = 0;
};

/// The way that fits all: between blocks whose rows differ in length.
void move_between_unlike_rows(block const& from, block const& into, combiner combine) {
  cursor source(from), target(into);
  std::int64_t bytes = 0;
  for (std::int64_t left = from.bytes(); left > 0; left -= bytes) {
    bytes = std::min(source.left_in_row(), target.left_in_row());
    move_rows(source.at(), target.at(), {1, 1}, bytes, {}, combine);
    source.advance(bytes);
    target.advance(bytes);
  }
}

std::array<std::int64_t, 2> steps_on_the_wire(block const& rows) {
  return {rows.rows[1] * rows.row_bytes, rows.row_bytes};
}

} // namespace

std::byte* pack(block const& from, std::byte* wire) {
  move_rows(from.first, wire, from.rows, from.row_bytes, {from.stride, steps_on_the_wire(from)},
            nullptr);
  return wire + from.bytes();
}

std::byte const* unpack(std::byte const* wire, block const& into, combiner combine) {
  move_rows(wire, into.first, into.rows, into.row_bytes, {steps_on_the_wire(into), into.stride},
            combine);
  return wire + into.bytes();
}

void copy(block const& from, block const& into, combiner combine) {
  SEAM_ASSERT(from.bytes() == into.bytes(),
              std::to_string(from.bytes()) + " to " + std::to_string(into.bytes()) + " bytes");
  if (from.is_contiguous())
    unpack(from.first, into, combine);
  else if (into.is_contiguous() && combine == nullptr)
    pack(from, into.first);
  else if (from.rows != into.rows)
    move_between_unlike_rows(from, into, combine);
  else
    move_rows(from.first, into.first, into.rows, into.row_bytes, {from.stride, into.stride},
              combine);
}

} // namespace seam
