/// Messages of a sparse exchange: an outgoing message grows while values are packed, an incoming
/// message is read as a stream. serialize.hpp lists the types that can be packed.
#pragma once

#include <seam/exchange/sparse/detail/byte_buffer.hpp>
#include <seam/exchange/sparse/detail/serialize.hpp>

namespace seam {

/// A message that one process packs for another. Local.
class outgoing_message {
public:
  explicit outgoing_message(int destination, detail::byte_buffer memory = {})
      : destination_(destination), bytes_(std::move(memory)) {}

  int destination() const noexcept { return destination_; }
  std::span<std::byte const> bytes() const noexcept { return bytes_.bytes(); }

  /// Adds values one after another.
  template <class... T>
  void pack(T const&... values) {
    (detail::pack_value(*this, values), ...);
  }

  /// Adds bytes as they are, without their number.
  void pack_bytes(std::span<std::byte const> bytes) { bytes_.append(bytes); }

  /// Gives the memory away.
  detail::byte_buffer release() && { return std::move(bytes_); }

private:
  int destination_;
  detail::byte_buffer bytes_;
};

/// A message that a process has received, and the position of unpacking. Local.
class incoming_message {
public:
  incoming_message(int source, detail::byte_buffer bytes)
      : source_(source), bytes_(std::move(bytes)) {}

  int source() const noexcept { return source_; }

  /// All bytes, whether unpacked or not.
  std::span<std::byte const> bytes() const noexcept { return bytes_.bytes(); }

  /// Bytes that have not been unpacked.
  std::int64_t bytes_left() const noexcept { return std::ssize(bytes()) - position_; }

  /// Takes values one after another, of the types and in the order in which they were packed. A
  /// span is filled, and must be as long as the packed sequence.
  ///
  /// @throws usage_error  the message ends before
  template <class... T>
  void unpack(T&... values) {
    (detail::unpack_value(*this, values), ...);
  }

  /// The next value.
  template <class T>
  T unpack() {
    T value{};
    unpack(value);
    return value;
  }

  /// The next `count` bytes, as they are. They belong to the message.
  /// @throws usage_error  the message ends before
  std::span<std::byte const> unpack_bytes(std::int64_t count);

  /// The number of elements that a container was packed with, each of at least `least_bytes`.
  /// @throws usage_error  there are not so many bytes left
  std::int64_t unpack_length(std::int64_t least_bytes);

  /// Gives the memory away.
  detail::byte_buffer release() && { return std::move(bytes_); }

private:
  int source_;
  detail::byte_buffer bytes_;
  std::int64_t position_ = 0;
};

namespace detail {

/// Throws a usage_error: a span of `span_length` elements cannot take `length` elements.
[[noreturn]] void refuse_span(int source, std::int64_t length, std::int64_t span_length);

template <class T>
void pack_elements(outgoing_message& out, T const& all) {
  using element = std::ranges::range_value_t<T>;
  if constexpr (plain<element> && std::ranges::contiguous_range<T>)
    out.pack_bytes(std::as_bytes(std::span(std::ranges::data(all), std::ranges::size(all))));
  else
    for (element const& value : all)
      pack_value(out, value);
}

template <class T>
void unpack_bytes_into(incoming_message& in, T* first, std::int64_t count) {
  auto const from = in.unpack_bytes(count * std::int64_t{sizeof(T)});
  if (count > 0)
    std::memcpy(static_cast<void*>(first), from.data(), from.size());
}

template <class T>
void unpack_elements(incoming_message& in, T&& all) {
  using element = std::ranges::range_value_t<T>;
  if constexpr (plain<element> && std::ranges::contiguous_range<T>)
    unpack_bytes_into(in, std::ranges::data(all), std::ranges::ssize(all));
  else
    for (auto&& value : all)
      unpack_value(in, value);
}

template <class T>
void unpack_refill(incoming_message& in, T& all) {
  using element = typename unpacked_element<typename T::value_type>::type;
  constexpr bool at_once = plain<element> && requires {
    all.data();
    all.resize(1);
  };
  std::int64_t const length = in.unpack_length(plain<element> ? std::int64_t{sizeof(element)} : 0);
  if constexpr (at_once) {
    all.resize(length);
    unpack_bytes_into(in, all.data(), length);
  } else {
    all.clear();
    for (std::int64_t e = 0; e < length; ++e)
      all.insert(all.end(), in.unpack<element>());
  }
}

template <class T>
void unpack_span(incoming_message& in, T span) {
  std::int64_t const length = in.unpack_length(0);
  if (length != std::ssize(span))
    refuse_span(in.source(), length, std::ssize(span));
  unpack_elements(in, span);
}

template <class T>
void pack_value(outgoing_message& out, T const& value) {
  if constexpr (customization::packed<T>)
    customization::call_pack(out, value);
  else if constexpr (text<T>) {
    std::string_view const characters(value);
    out.pack(std::int64_t{std::ssize(characters)});
    out.pack_bytes(std::as_bytes(std::span(characters)));
  } else if constexpr (is_optional<T>) {
    out.pack(value.has_value());
    if (value)
      out.pack(*value);
  } else if constexpr (plain<T>)
    out.pack_bytes(std::as_bytes(std::span(std::addressof(value), 1)));
  else if constexpr (is_array<T>)
    pack_elements(out, value);
  else if constexpr (tuple_like<T>)
    std::apply([&](auto const&... parts) { out.pack(parts...); }, value);
  else if constexpr (std::ranges::sized_range<T const>) {
    out.pack(std::int64_t{std::ranges::ssize(value)});
    pack_elements(out, value);
  } else
    static_assert(no_way_to<T>,
                  "no way to pack this type: write pack(outgoing_message&, T const&)");
}

template <class T>
void unpack_value(incoming_message& in, T& value) {
  if constexpr (customization::unpacked<T>)
    customization::call_unpack(in, value);
  else if constexpr (is_optional<T>) {
    value.reset();
    if (in.unpack<bool>())
      value.emplace(in.unpack<typename T::value_type>());
  } else if constexpr (plain<T>)
    unpack_bytes_into(in, std::addressof(value), 1);
  else if constexpr (is_span<std::remove_const_t<T>>)
    unpack_span(in, value);
  else if constexpr (is_array<T>)
    unpack_elements(in, value);
  else if constexpr (tuple_like<T>)
    std::apply([&](auto&... parts) { in.unpack(parts...); }, value);
  else if constexpr (refillable<T>)
    unpack_refill(in, value);
  else
    static_assert(no_way_to<T>, "no way to unpack this type: write unpack(incoming_message&, T&)");
}

} // namespace detail
} // namespace seam
