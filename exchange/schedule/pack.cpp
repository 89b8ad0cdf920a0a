#include <seam/exchange/schedule/pack.hpp>

#include <seam/exchange/ground/cache_line.hpp>
#include <seam/exchange/ground/error.hpp>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <vector>

namespace seam::detail {
namespace {

/// Rows to move: `rows` of `row_bytes` each, with the steps from row to row at both levels. [bytes]
struct row_move {
  std::byte const* from;
  std::byte* into;
  std::array<std::int64_t, 2> rows;
  std::int64_t row_bytes;
  std::array<std::int64_t, 2> step_from, step_into;

  bool is_like(row_move const& other) const {
    return rows == other.rows && row_bytes == other.row_bytes && step_from == other.step_from &&
           step_into == other.step_into;
  }
};

/// Copies a row. The C library moves rows of some kilobytes by an instruction that takes up to
/// twenty times as long on some processors (AMD's Zen 3) if the target lies 1 to 31 bytes behind
/// the source in their pages, as two arrays often do that were allocated one after the other. Such
/// rows are moved in pieces too short for it.
void copy_row(std::byte* into, std::byte const* from, std::size_t size) {
  constexpr std::size_t piece = 2048, page = 4096, near = 32;
  std::size_t const behind =
      (reinterpret_cast<std::uintptr_t>(into) - reinterpret_cast<std::uintptr_t>(from)) % page;
  std::size_t done = 0;
  if (behind > 0 && behind < near) [[unlikely]]
    for (; done + piece < size; done += piece)
      std::memcpy(into + done, from + done, piece);
  std::memcpy(into + done, from + done, size - done);
}

/// Short rows lie in cache lines far apart. Each line is prefetched so many rows before: otherwise
/// the move waits where an on-node neighbor has read it, as it reads rims beside ghosts.
constexpr std::int64_t rows_ahead = 16;

/// Calls move(into, from) for each row.
template <class Move>
void for_each_row(row_move const& all, Move move) {
  for (std::int64_t i = 0; i < all.rows[0]; ++i) {
    std::byte const* from = all.from + i * all.step_from[0];
    std::byte* into = all.into + i * all.step_into[0];
    for (std::int64_t j = 0; j < all.rows[1]; ++j) {
      move(into, from);
      from += all.step_from[1];
      into += all.step_into[1];
    }
  }
}

template <std::size_t Bytes>
constexpr std::integral_constant<std::size_t, Bytes> constant{};

/// Calls move_rows(size) with row_bytes, as a constant if rows are short: rows of faces across the
/// contiguous axis then move as single words.
template <class MoveRows>
void with_size(std::int64_t row_bytes, MoveRows move_rows) {
  switch (row_bytes) {
  case 1: return move_rows(constant<1>);
  case 2: return move_rows(constant<2>);
  case 4: return move_rows(constant<4>);
  case 8: return move_rows(constant<8>);
  case 16: return move_rows(constant<16>);
  case 24: return move_rows(constant<24>);
  case 32: return move_rows(constant<32>);
  default: return move_rows(static_cast<std::size_t>(row_bytes));
  }
}

void move_rows(row_move const& rows, combiner const& combine) {
  if (combine != nullptr)
    return for_each_row(rows, [&](std::byte* into, std::byte const* from) {
      combine(into, from, rows.row_bytes);
    });
  with_size(rows.row_bytes, [&](auto size) {
    constexpr bool is_short = !std::is_same_v<decltype(size), std::size_t>;
    std::int64_t const ahead = rows_ahead * rows.step_into[1];
    for_each_row(rows, [=](std::byte* into, std::byte const* from) {
      if constexpr (is_short) {
        prefetch_to_write(into + ahead);
        std::memcpy(into, from, size);
      } else {
        copy_row(into, from, size);
      }
    });
  });
}

/// Moves the rows of two alike moves in turn.
void move_rows_in_turn(row_move const& first, row_move const& other) {
  std::int64_t const from_other = other.from - first.from, into_other = other.into - first.into;
  with_size(first.row_bytes, [&](auto size) {
    std::int64_t const ahead = rows_ahead * first.step_into[1];
    for_each_row(first, [=](std::byte* into, std::byte const* from) {
      prefetch_to_write(into + ahead);
      prefetch_to_write(into + into_other + ahead);
      std::memcpy(into, from, size);
      std::memcpy(into + into_other, from + from_other, size);
    });
  });
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

/// Moves bytes between blocks whose rows differ in length.
void move_between_unlike_rows(block const& from, block const& into, combiner const& combine) {
  cursor source(from), target(into);
  std::int64_t bytes = 0;
  for (std::int64_t left = from.bytes(); left > 0; left -= bytes) {
    bytes = std::min(source.left_in_row(), target.left_in_row());
    move_rows({source.at(), target.at(), {1, 1}, bytes, {}, {}}, combine);
    source.advance(bytes);
    target.advance(bytes);
  }
}

std::array<std::int64_t, 2> steps_on_the_wire(block const& rows) {
  return {rows.rows[1] * rows.row_bytes, rows.row_bytes};
}

/// The rows of a move between blocks whose rows are alike.
row_move rows_between(block const& from, block const& into) {
  return {from.first, into.first, into.rows, into.row_bytes, from.stride, into.stride};
}

/// True if not both blocks lie in the host's memory.
bool lies_elsewhere(block const& from, block const& into) {
  return from.memory != nullptr || into.memory != nullptr;
}

/// Memory of the host for `bytes`, which each thread keeps.
template <int Use>
std::byte* scratch_of_thread(std::int64_t bytes) {
  thread_local std::vector<std::byte> memory;
  if (std::ssize(memory) < bytes)
    memory.resize(bytes);
  return memory.data();
}

/// Takes the rows of `into`, which do not lie in the host's memory, from `wire`.
void unpack_elsewhere(std::byte const* wire, block const& into, combiner const& combine) {
  if (combine == nullptr)
    return into.memory->write(wire, into);
  std::byte* const there = scratch_of_thread<0>(into.bytes());
  into.memory->read(into, there);
  combine(there, wire, into.bytes());
  into.memory->write(there, into);
}

void copy_by_scratch(block const& from, block const& into, combiner const& combine) {
  std::byte* const between = scratch_of_thread<1>(from.bytes());
  pack(from, between);
  unpack(between, into, combine);
}

} // namespace

std::byte* pack(block const& from, std::byte* wire) {
  if (from.memory != nullptr)
    from.memory->read(from, wire);
  else
    move_rows({from.first, wire, from.rows, from.row_bytes, from.stride, steps_on_the_wire(from)},
              nullptr);
  return wire + from.bytes();
}

std::byte const* unpack(std::byte const* wire, block const& into, combiner const& combine) {
  if (into.memory != nullptr)
    unpack_elsewhere(wire, into, combine);
  else
    move_rows({wire, into.first, into.rows, into.row_bytes, steps_on_the_wire(into), into.stride},
              combine);
  return wire + into.bytes();
}

void copy(block const& from, block const& into, combiner const& combine) {
  SEAM_ASSERT(from.bytes() == into.bytes(),
              std::to_string(from.bytes()) + " to " + std::to_string(into.bytes()) + " bytes");
  if (from.is_contiguous() && into.is_contiguous() && combine == nullptr)
    copy_row(into.first, from.first, from.row_bytes);
  else if (from.is_contiguous())
    unpack(from.first, into, combine);
  else if (into.is_contiguous() && combine == nullptr)
    pack(from, into.first);
  else if (lies_elsewhere(from, into))
    copy_by_scratch(from, into, combine);
  else if (from.rows != into.rows)
    move_between_unlike_rows(from, into, combine);
  else
    move_rows(rows_between(from, into), combine);
}

bool copy_together(block const& from, block const& into, block const& other_from,
                   block const& other_into) {
  constexpr std::int64_t short_row = 64;
  row_move const first = rows_between(from, into), other = rows_between(other_from, other_into);
  bool const alike = from.rows == into.rows && other_from.rows == other_into.rows &&
                     first.row_bytes == from.row_bytes && other.row_bytes == other_from.row_bytes &&
                     first.is_like(other) && !lies_elsewhere(from, into) &&
                     !lies_elsewhere(other_from, other_into);
  if (!alike || first.row_bytes > short_row)
    return false;
  move_rows_in_turn(first, other);
  return true;
}

} // namespace seam::detail
