#include <seam/stencil/halo.hpp>

#include <seam/exchange/ground/error.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace seam {

void Halo::check_storage() const {
  for (member const& field : members_)
    if (field.data_now() != field.data)
      refuse(fmt::format("halo: the storage of field '{}' has been swapped since the halo was made "
                         "(expected a halo made after the last sweep)",
                         field.name));
}

char const* Halo::name_of_halo(std::vector<std::string> const& fields) {
  return lasting_name(fmt::format("the halo of {}", fmt::join(fields, ", ")));
}

void Halo::check_one_grid(bool one_grid) {
  if (!one_grid)
    refuse("halo: fields of different grids (expected fields of one grid)");
}

} // namespace seam
