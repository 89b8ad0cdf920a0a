/// Stored arrays: how checkpoints see any field or value, as an array of bytes in an order that
/// does not depend on ranks. Each rank has some runs of the array in its memory.
///
///     array in the file   | a a a a a | b b b b b | c c c c c |     3 rows of a grid
///     runs of a rank           [a a a]     [b b b]                  the cells of its block
#pragma once

#include <seam/exchange/communicator/communicator.hpp>
#include <seam/framework/files/detail/number_format.hpp>
#include <seam/stencil/fields/field_state.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <type_traits>
#include <typeinfo>
#include <vector>

namespace seam::detail {

/// A type of elements. Elements of other types than numbers are bytes for HDF5.
struct element_format {
  std::string name; ///< "float64", "uint8", or that of a struct
  std::int64_t bytes = 1;
  bool is_number = false;
  number_format number{};
};

/// A type that says which version of its layout it has:
///
///     struct particle {
///       static constexpr char const* checkpoint_name = "particle 2";
///       double place, speed;
///     };
template <class T>
concept named_for_checkpoints = requires {
  { T::checkpoint_name } -> std::convertible_to<std::string>;
};

/// "int64", "uint8", "float32". Local.
std::string name_of_number(number_format const& format);

/// "particle 2, 16 bytes". Local.
std::string name_with_length(std::string const& name, std::size_t bytes);

/// The name of a type as C++ writes it, with the length of its values. Local.
std::string name_of_struct(std::type_info const& type, std::size_t bytes);

template <class T>
element_format element_format_of() {
  static_assert(std::is_trivially_copyable_v<T>, "checkpoints hold trivially copyable values");
  if constexpr (named_for_checkpoints<T>)
    return {name_with_length(T::checkpoint_name, sizeof(T)), sizeof(T)};
  else if constexpr (std::same_as<T, bool>)
    return {"bool", 1, true, format_of<std::uint8_t>()};
  else if constexpr (std::integral<T> || std::same_as<T, float> || std::same_as<T, double>)
    return {name_of_number(format_of<T>()), sizeof(T), true, format_of<T>()};
  else
    return {name_of_struct(typeid(T), sizeof(T)), sizeof(T)};
}

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
