/// Serialization: turns values into bytes of a message and back.
///
/// Built in are trivially copyable types, strings, spans, pairs, tuples, optionals and containers
/// of types that can be packed, to any depth. For a type of its own a program defines two functions
/// beside the type, which are found by argument-dependent lookup and precede the built-in ones:
///
///     struct vertex { global_id id; std::vector<int> ranks; };
///     void pack(seam::outgoing_message& out, vertex const& v) { out.pack(v.id, v.ranks); }
///     void unpack(seam::incoming_message& in, vertex& v) { in.unpack(v.id, v.ranks); }
///
/// Bytes travel as they are: all processes must have the same representation of values.
/// Source: [Ibanez2015] sec. 3.1 and 3.3.
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span> // and the concepts of ranges
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

namespace seam {

class outgoing_message;
class incoming_message;

namespace detail {

namespace customization {
void pack() = delete;
void unpack() = delete;
template <class T>
concept packed = requires(outgoing_message& out, T const& value) { pack(out, value); };
template <class T>
concept unpacked = requires(incoming_message& in, T& value) { unpack(in, value); };
template <class T>
void call_pack(outgoing_message& out, T const& value) {
  pack(out, value);
}
template <class T>
void call_unpack(incoming_message& in, T& value) {
  unpack(in, value);
}
} // namespace customization

template <class T>
concept text = std::convertible_to<T const&, std::string_view>;

template <class T>
inline constexpr bool is_span = false;
template <class T, std::size_t N>
inline constexpr bool is_span<std::span<T, N>> = true;

template <class T>
inline constexpr bool is_optional = false;
template <class T>
inline constexpr bool is_optional<std::optional<T>> = true;

template <class T>
inline constexpr bool is_array = std::is_bounded_array_v<T>;
template <class T, std::size_t N>
inline constexpr bool is_array<std::array<T, N>> = true;

/// Pairs and tuples; arrays, which are tuple-like too, are sequences here.
template <class T>
concept tuple_like = !is_array<T> && !std::ranges::range<T> && requires {
  { std::tuple_size<T>::value } -> std::convertible_to<std::size_t>;
};

/// Types whose bytes are their value. Addresses mean nothing to other processes.
template <class T>
concept plain =
    std::is_trivially_copyable_v<T> && !std::is_pointer_v<T> && !std::is_member_pointer_v<T> &&
    !std::is_null_pointer_v<T> && !is_span<std::remove_const_t<T>> && !is_optional<T> && !text<T> &&
    !customization::packed<T> && !customization::unpacked<T>;

/// Containers that are emptied and filled again by inserting: vectors, deques, lists, sets, maps.
template <class T>
concept refillable = std::ranges::sized_range<T> && requires(T& all) {
  all.clear();
  all.insert(all.end(), std::declval<typename T::value_type>());
};

/// The type into which an element of a container is unpacked: a map's keys are constant only in it.
template <class T>
struct unpacked_element {
  using type = T;
};
template <class Key, class Value>
struct unpacked_element<std::pair<Key const, Value>> {
  using type = std::pair<Key, Value>;
};

template <class>
inline constexpr bool no_way_to = false;

template <class T>
void pack_value(outgoing_message& out, T const& value);
template <class T>
void unpack_value(incoming_message& in, T& value);

} // namespace detail
} // namespace seam
