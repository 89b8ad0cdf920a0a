#include <seam/framework/files/hdf5_object.hpp>

#include <seam/exchange/ground/error.hpp>
#include <seam/exchange/mpi/detail/check.hpp>
#include <seam/exchange/mpi/library.hpp>

#include <fmt/format.h>
#include <hdf5.h>
#include <mpi.h>

#include <algorithm>
#include <concepts>
#include <string>
#include <utility>

namespace seam::detail {

static_assert(std::same_as<hid_t, hdf5_object::id_type> && std::same_as<herr_t, int>);

hdf5_object::hdf5_object(id_type id, closer_type closer, char const* call)
    : id_(id), closer_(closer) {
  check_hdf5(id < 0 ? -1 : 0, call);
}

hdf5_object::hdf5_object(hdf5_object&& other) noexcept
    : id_(std::exchange(other.id_, H5I_INVALID_HID)), closer_(other.closer_) {}

hdf5_object::~hdf5_object() {
  if (id_ >= 0)
    closer_(id_);
}

void hdf5_object::close(char const* call) {
  check_hdf5(closer_(std::exchange(id_, H5I_INVALID_HID)), call);
}

namespace {

/// Silences HDF5 when MPI ends. It may keep parts of a damaged file open and would print, after the
/// error's line, that it cannot close them. What is given to
/// before_end() last is called first: this before that by which HDF5 ends.
void keep_end_quiet() {
  static bool const is_set = [] {
    mpi::before_end([] { H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr); });
    return true;
  }();
  static_cast<void>(is_set);
}

} // namespace

void check_hdf5(int status, char const* call) {
  if (status >= 0)
    return;
  keep_end_quiet();
  std::string cause;
  auto const take = [](unsigned, H5E_error2_t const* entry, void* into) -> herr_t {
    *static_cast<std::string*>(into) = entry->desc;
    return 0;
  };
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_DOWNWARD, take, &cause);
  std::ranges::replace(cause, '\n', ' ');
  throw error(fmt::format("{}: {}", call, cause.empty() ? "no cause is given" : cause));
}

quiet_hdf5::quiet_hdf5() {
  H5Eget_auto2(H5E_DEFAULT, &printer_, &data_);
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
}

quiet_hdf5::~quiet_hdf5() { H5Eset_auto2(H5E_DEFAULT, printer_, data_); }

std::recursive_mutex& hdf5_turn::of_process() {
  static std::recursive_mutex only;
  return only;
}

hdf5_turn::hdf5_turn() : lock_(of_process()) {}

} // namespace seam::detail
