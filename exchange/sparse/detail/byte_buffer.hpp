/// A growing array of bytes into which messages are packed. Unlike a vector it leaves new bytes
/// uninitialized, and it keeps its memory when it is cleared.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>

namespace seam::detail {

class byte_buffer {
public:
  std::int64_t size() const noexcept { return size_; }
  std::int64_t capacity() const noexcept { return capacity_; }
  std::byte const* data() const noexcept { return data_.get(); }
  std::span<std::byte const> bytes() const noexcept {
    return std::span<std::byte const>(data_.get(), size_);
  }

  /// Forgets the bytes and keeps the memory.
  void clear() noexcept { size_ = 0; }

  /// Adds `count` uninitialized bytes at the end. The span is valid until more are added.
  std::span<std::byte> extend(std::int64_t count) {
    if (count > capacity_ - size_)
      grow(size_ + count);
    std::span<std::byte> const added(data_.get() + size_, count);
    size_ += count;
    return added;
  }

  /// Adds a copy of `bytes` at the end.
  void append(std::span<std::byte const> bytes) {
    std::span<std::byte> const added = extend(std::ssize(bytes));
    if (!bytes.empty())
      std::memcpy(added.data(), bytes.data(), bytes.size());
  }

private:
  /// Grows by half and a little, as in [Ibanez2015] sec. 4.1.
  void grow(std::int64_t needed);

  std::unique_ptr<std::byte[]> data_;
  std::int64_t size_ = 0, capacity_ = 0;
};

} // namespace seam::detail
