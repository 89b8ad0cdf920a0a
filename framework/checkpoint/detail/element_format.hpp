/// The format of the elements that checkpoints hold: numbers, and plain structs of users.
#pragma once

#include <seam/framework/files/detail/number_format.hpp>

#include <concepts>
#include <cstdint>
#include <string>
#include <type_traits>
#include <typeinfo>

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

} // namespace seam::detail
