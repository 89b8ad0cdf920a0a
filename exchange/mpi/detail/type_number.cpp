#include <seam/exchange/mpi/detail/type_number.hpp>

#include <seam/exchange/mpi/detail/check.hpp>

#include <atomic>
#include <limits>

namespace seam::mpi {
namespace {

/// True for MPI's own types: their handles always mean the same.
bool has_permanent_handle(MPI_Datatype type) {
  int num_ints = 0, num_places = 0, num_types = 0, how = 0;
  check(MPI_Type_get_envelope(type, &num_ints, &num_places, &num_types, &how),
        "MPI_Type_get_envelope");
  return how == MPI_COMBINER_NAMED;
}

/// The attribute in which a datatype keeps its number until the type is freed.
int key_of_numbers() {
  static int const key = [] {
    int created = MPI_KEYVAL_INVALID;
    check(MPI_Type_create_keyval(MPI_TYPE_NULL_COPY_FN, MPI_TYPE_NULL_DELETE_FN, &created, nullptr),
          "MPI_Type_create_keyval");
    return created;
  }();
  return key;
}

/// A new number, above all handles.
std::uintptr_t new_number() {
  constexpr std::uintptr_t first = std::numeric_limits<std::uintptr_t>::max() / 2 + 1;
  static std::atomic<std::uintptr_t> next = first;
  return next.fetch_add(1, std::memory_order_relaxed);
}

} // namespace

std::uintptr_t number_of_other_type(MPI_Datatype type) {
  if (has_permanent_handle(type))
    return number_of_handle(type);
  void* kept = nullptr;
  int found = 0;
  check(MPI_Type_get_attr(type, key_of_numbers(), static_cast<void*>(&kept), &found),
        "MPI_Type_get_attr");
  if (found != 0)
    return reinterpret_cast<std::uintptr_t>(kept);
  std::uintptr_t const made = new_number();
  // The value is the number itself.
  // NOLINTNEXTLINE(performance-no-int-to-ptr)
  check(MPI_Type_set_attr(type, key_of_numbers(), reinterpret_cast<void*>(made)),
        "MPI_Type_set_attr");
  return made;
}

} // namespace seam::mpi
