#include <seam/exchange/c_errors.hpp>

#include <algorithm>
#include <cstddef>

namespace seam::detail {

int error_code_for(std::string line) {
  static int const error_class = [] {
    int made = MPI_ERR_OTHER;
    MPI_Add_error_class(&made);
    MPI_Add_error_string(made, "seam refused a call");
    return made;
  }();
  int code = MPI_ERR_OTHER;
  MPI_Add_error_code(error_class, &code);
  line.resize(std::min<std::size_t>(line.size(), MPI_MAX_ERROR_STRING - 1));
  MPI_Add_error_string(code, line.c_str());
  return code;
}

} // namespace seam::detail
