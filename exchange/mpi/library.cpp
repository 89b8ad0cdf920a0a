#include <seam/exchange/mpi/library.hpp>

#include <seam/exchange/mpi/detail/check.hpp>

#include <mpi.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <string_view>

namespace seam::mpi {

void leave_out_lossy_parts() {
#if defined(OPEN_MPI) && OMPI_MAJOR_VERSION >= 5
  constexpr int keep_the_users = 0;
  ::setenv("OMPI_MCA_btl_sm_fbox_max", "0", keep_the_users);
#endif
}

std::string library_in_words() {
  std::array<char, MPI_MAX_LIBRARY_VERSION_STRING> text{};
  int length = 0;
  check(MPI_Get_library_version(text.data(), &length), "MPI_Get_library_version");
  std::string_view const all(text.data()), label = " Version:"; // of MPICH, before spaces
  std::string_view const line = all.substr(0, all.find_first_of(",\n"));
  auto const at = line.find(label);
  if (at == std::string_view::npos)
    return std::string(line);
  std::string_view number = line.substr(at + label.size());
  number.remove_prefix(std::min(number.find_first_not_of(" \t"), number.size()));
  return std::string(line.substr(0, at)) + " " + std::string(number);
}

namespace {

using action = void (*)();

int call_action(MPI_Comm, int, void* act, void*) {
  reinterpret_cast<action>(act)();
  return MPI_SUCCESS;
}

} // namespace

/// MPI_Finalize first takes the attributes off MPI_COMM_SELF, in reverse order.
void before_end(action act) {
  int key = MPI_KEYVAL_INVALID;
  check(MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, call_action, &key, nullptr),
        "MPI_Comm_create_keyval");
  check(MPI_Comm_set_attr(MPI_COMM_SELF, key, reinterpret_cast<void*>(act)), "MPI_Comm_set_attr");
  check(MPI_Comm_free_keyval(&key), "MPI_Comm_free_keyval");
}

int largest_tag() {
  constexpr int largest_of_all = 32767;
  static int const largest = [] {
    void* tag = nullptr;
    int found = 0;
    check(MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, &tag, &found), "MPI_Comm_get_attr");
    return found != 0 ? *static_cast<int*>(tag) : largest_of_all;
  }();
  return largest;
}

namespace {

hints hint(char const* key, char const* value) {
  hints made;
  check(MPI_Info_create(made.receive()), "MPI_Info_create");
  check(MPI_Info_set(made.native(), key, value), "MPI_Info_set");
  return made;
}

} // namespace

hints parts_apart() { return hint("alloc_shared_noncontig", "true"); }

hints written_together() { return hint("romio_cb_write", "enable"); }

} // namespace seam::mpi
