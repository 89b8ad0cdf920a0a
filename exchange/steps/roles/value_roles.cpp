#include <seam/exchange/steps/roles/value_roles.hpp>

#include <utility>

namespace seam::detail {

declared_value::declared_value(std::shared_ptr<step_value> its_value, bool its_is_set)
    : value(std::move(its_value)), is_set(its_is_set) {}
declared_value::declared_value(declared_value const&) = default;
declared_value::~declared_value() = default;

declared_reduction::declared_reduction(std::shared_ptr<step_value> its_value, maker its_make)
    : value(std::move(its_value)), make(its_make) {}
declared_reduction::declared_reduction(declared_reduction const&) = default;
declared_reduction::~declared_reduction() = default;

} // namespace seam::detail
