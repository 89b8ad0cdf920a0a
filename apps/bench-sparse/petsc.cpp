// PETSc's PetscCommBuildTwoSided, by each of its algorithms.
#include "way.hpp"

#include <seam/petsc.hpp>

#include <petscsys.h>

namespace sparse_bench {
namespace {

using seam::check_petsc;

template <PetscBuildTwoSidedType type>
class petsc final : public way {
public:
  petsc(MPI_Comm comm, int length) : comm_(comm), length_(length) { seam::start_petsc(comm); }
  ~petsc() override { static_cast<void>(PetscFree(in_)); }

  void exchange(std::vector<int> const& ranks, std::span<double const> values,
                arrivals& in) override {
    check_petsc(PetscCommBuildTwoSidedSetType(comm_, type), "PetscCommBuildTwoSidedSetType");
    pack(ranks, values, out_);
    check_petsc(PetscFree(in_), "PetscFree");
    PetscMPIInt num_sources = 0;
    PetscMPIInt* sources = nullptr;
    check_petsc(PetscCommBuildTwoSided(
                    comm_, length_, MPI_DOUBLE, static_cast<PetscMPIInt>(ranks.size()),
                    ranks.data(), out_.data(), &num_sources, &sources, static_cast<void*>(&in_)),
                "PetscCommBuildTwoSided");
    in.ranks.assign(sources, sources + num_sources);
    check_petsc(PetscFree(sources), "PetscFree");
    point_to(in_, values.size(), in);
  }

private:
  MPI_Comm comm_;
  PetscMPIInt length_;
  std::vector<double> out_;
  double* in_ = nullptr; ///< allocated by PETSc
};

} // namespace

std::vector<rival> rivals_of_petsc() {
  return {rival::by<petsc<PETSC_BUILDTWOSIDED_ALLREDUCE>>("petsc allreduce"),
          rival::by<petsc<PETSC_BUILDTWOSIDED_IBARRIER>>("petsc ibarrier"),
          rival::by<petsc<PETSC_BUILDTWOSIDED_REDSCATTER>>("petsc redscatter")};
}

} // namespace sparse_bench
