#include <seam/mesh/roles/mesh_roles.hpp>

#include <utility>

namespace seam::detail {

declared_entities::declared_entities(std::shared_ptr<mesh_field_state> its_field,
                                     access_role its_role, named_around const& its_around)
    : field(std::move(its_field)), role(its_role), around(its_around) {}
declared_entities::declared_entities(declared_entities const&) = default;
declared_entities::~declared_entities() = default;

} // namespace seam::detail
