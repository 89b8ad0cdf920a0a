/// Functions that are kept where they are declared: as std::function, but without heap memory for
/// captures of up to `MemoryBytes`. For values that are made at every call.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstring>
#include <memory>
#include <new>
#include <type_traits>
#include <utility>

namespace seam::detail {

template <class Signature, std::size_t MemoryBytes = 104>
class local_function;

/// A function object that can be copied, or nothing. Larger captures are shared by all copies, and
/// must not be changed by calls.
/// Threads: as the function that it holds.
template <class Result, class... Arguments, std::size_t MemoryBytes>
class local_function<Result(Arguments...), MemoryBytes> {
  template <class F>
  static constexpr bool can_hold =
      !std::same_as<std::remove_cvref_t<F>, local_function> &&
      std::is_invocable_r_v<Result, std::remove_cvref_t<F> const&, Arguments...>;

public:
  /// Leaves the memory as it is, where a default constructor would fill it with zeros.
  // NOLINTNEXTLINE(modernize-use-equals-default)
  local_function() noexcept {}
  local_function(std::nullptr_t) noexcept {}

  template <class F, class = std::enable_if_t<can_hold<F>>>
  local_function(F&& function) {
    keep(std::forward<F>(function));
  }

  local_function(local_function const& other) { take(other); }
  local_function(local_function&& other) noexcept { take(std::move(other)); }

  template <class F, class = std::enable_if_t<can_hold<F>>>
  local_function& operator=(F&& function) {
    reset();
    keep(std::forward<F>(function));
    return *this;
  }
  local_function& operator=(local_function const& other) {
    if (this == &other)
      return *this;
    reset();
    take(other);
    return *this;
  }
  local_function& operator=(local_function&& other) noexcept {
    if (this == &other)
      return *this;
    reset();
    take(std::move(other));
    return *this;
  }

  ~local_function() { reset(); }

  explicit operator bool() const noexcept { return kind_ != nullptr; }

  Result operator()(Arguments... arguments) const {
    return kind_->call(memory_, std::forward<Arguments>(arguments)...);
  }

private:
  /// Functions of the type that is held. Plain numbers and pointers are copied as bytes.
  struct kind {
    bool is_plain;
    Result (*call)(std::byte const* held, Arguments&&... arguments);
    void (*copy)(std::byte const* held, std::byte* into);
    void (*move)(std::byte* held, std::byte* into) noexcept;
    void (*destroy)(std::byte* held) noexcept;
  };

  template <class Held>
  struct shared {
    std::shared_ptr<Held const> function;
    Result operator()(Arguments... arguments) const {
      return (*function)(std::forward<Arguments>(arguments)...);
    }
  };

  template <class Held>
  static constexpr bool has_usual_alignment = alignof(Held) <= alignof(std::max_align_t);
  template <class Held>
  static constexpr bool fits = sizeof(Held) <= MemoryBytes && has_usual_alignment<Held> &&
                               std::is_nothrow_move_constructible_v<Held>;

  template <class Held>
  static Held const& in(std::byte const* memory) {
    return *std::launder(reinterpret_cast<Held const*>(memory));
  }
  template <class Held>
  static Held& in(std::byte* memory) {
    return *std::launder(reinterpret_cast<Held*>(memory));
  }

  template <class Held>
  static constexpr kind kind_of{
      .is_plain = std::is_trivially_copyable_v<Held>,
      .call = [](std::byte const* held, Arguments&&... arguments) -> Result {
        return in<Held>(held)(std::forward<Arguments>(arguments)...);
      },
      .copy = [](std::byte const* held, std::byte* into) { new (into) Held(in<Held>(held)); },
      .move = [](std::byte* held,
                 std::byte* into) noexcept { new (into) Held(std::move(in<Held>(held))); },
      .destroy = [](std::byte* held) noexcept { in<Held>(held).~Held(); }};

  template <class F>
  void keep(F&& function) {
    using held = std::remove_cvref_t<F>;
    if constexpr (fits<held>)
      hold<held>(std::forward<F>(function));
    else
      hold<shared<held>>(shared<held>{std::make_shared<held const>(std::forward<F>(function))});
  }

  template <class Held, class F>
  void hold(F&& function) {
    new (memory_) Held(std::forward<F>(function));
    kind_ = &kind_of<Held>;
  }

  void take(local_function const& other) {
    if (other.kind_ != nullptr && other.kind_->is_plain)
      std::memcpy(memory_, other.memory_, MemoryBytes);
    else if (other.kind_ != nullptr)
      other.kind_->copy(other.memory_, memory_);
    kind_ = other.kind_;
  }
  void take(local_function&& other) noexcept {
    if (other.kind_ != nullptr && other.kind_->is_plain)
      std::memcpy(memory_, other.memory_, MemoryBytes);
    else if (other.kind_ != nullptr)
      other.kind_->move(other.memory_, memory_);
    kind_ = other.kind_;
  }

  void reset() noexcept {
    if (kind_ != nullptr && !kind_->is_plain)
      kind_->destroy(memory_);
    kind_ = nullptr;
  }

  alignas(std::max_align_t) std::byte memory_[MemoryBytes];
  kind const* kind_ = nullptr;
};

} // namespace seam::detail
