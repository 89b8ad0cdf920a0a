/// Stored arrays: how checkpoints see any field or value, as an array of bytes in an order that
/// does not depend on ranks. Each rank has some runs of the array in its memory.
///
///     array in the file   | a a a a a | b b b b b | c c c c c |     3 rows of a grid
///     runs of a rank           [a a a]     [b b b]                  the cells of its block
#pragma once

#include <seam/exchange/communicator/communicator.hpp>
#include <seam/framework/checkpoint/detail/element_format.hpp>
#include <seam/stencil/fields/field_state.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace seam::detail {

/// Bytes that lie together in the array and in the memory of this rank.
struct stored_run {
  std::int64_t at; ///< the first byte's number in the array
  std::byte* memory;
  std::int64_t bytes;
};

/// Bytes `begin` to `end` - 1 of an array.
struct byte_window {
  std::int64_t begin, end;

  bool is_empty() const noexcept { return begin >= end; }
};

using run_visitor = std::function<void(stored_run const&)>;

/// An array of a checkpoint. The same on all ranks, but for the runs.
struct stored_array {
  std::string name;
  std::string identity; ///< what it holds, in words; those of file and program have to be equal
  element_format element;
  std::vector<std::int64_t> extents; ///< in elements, slowest first
  bool is_replicated = false;        ///< all ranks have all of it, and rank 0 writes it

  /// Calls the visitor for the runs in a window, cut to it. Each byte belongs to a run of one rank;
  /// of a mesh, reading fills copies on other ranks too.
  /// @param reading  false: runs that this rank writes; true: those that it reads
  std::function<void(byte_window, bool reading, run_visitor const&)> visit_runs;

  /// Called when all has been read. Collective: over the ranks.
  std::function<void()> loaded = [] {};

  /// For arrays whose number of rows changes and is not part of their identity: measure() sets the
  /// extents to the present ones before the array is written, make_room() to those of an array of
  /// `bytes` bytes before it is read.
  /// Collective: over the ranks.
  std::function<void(stored_array&)> measure = nullptr;
  std::function<void(stored_array&, std::int64_t bytes)> make_room = nullptr;

  std::int64_t bytes() const noexcept;
};

/// The levels and components of a field on a grid: [levels][components][n0]...[nD-1], without the
/// axes that have one element.
/// Local.
stored_array stored_field(std::shared_ptr<field_state> const& field, element_format element);

/// A value that all ranks have.
/// Local.
stored_array stored_value(std::string name, std::byte* memory, element_format element);

} // namespace seam::detail
