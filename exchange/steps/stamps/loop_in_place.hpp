/// Loops in place: loops by hand that read ghosts and write owned values of one buffer.
#pragma once

#include <cstddef>
#include <memory>

namespace seam::detail {

class ghost_stamps;

/// Lets ghosts that are up to date remain so until it is destroyed. Move-only.
class loop_in_place {
public:
  explicit loop_in_place(std::shared_ptr<std::byte> const& buffer);
  loop_in_place(loop_in_place&&) noexcept = default;
  loop_in_place& operator=(loop_in_place&&) = delete;
  ~loop_in_place();

private:
  std::shared_ptr<ghost_stamps> stamps_; ///< of the buffer, or nullptr
};

} // namespace seam::detail
