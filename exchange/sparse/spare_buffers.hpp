/// Spare buffers: the memory of finished messages, kept for messages of the next exchange.
#pragma once

#include <seam/exchange/sparse/detail/byte_buffer.hpp>

#include <vector>

namespace seam::detail {

class spare_buffers {
public:
  /// Keeps the memory of `buffer`, not its bytes.
  void keep(byte_buffer buffer);

  /// The buffer that was kept last; a new one if there is none.
  byte_buffer take_last();

  /// The smallest buffer that holds `count` bytes without growing, the largest if none does. So
  /// repeated messages find memory in any order of arrival.
  byte_buffer take_for(std::int64_t count);

private:
  std::vector<byte_buffer> kept_;
};

} // namespace seam::detail
