// PETSc's PetscCommBuildTwoSided, by each of its algorithms.
#include "way.hpp"

#include <seam/petsc.hpp>

#include <petscsys.h>

namespace sparse_bench {
namespace {

using seam::check_petsc;

class petsc final : public way {
public:
  petsc(MPI_Comm comm, int length, PetscBuildTwoSidedType type)
      : comm_(comm), length_(length), type_(type) {
    seam::start_petsc(comm);
  }
  ~petsc() override { static_cast<void>(PetscFree(in_)); }

  void exchange(std::vector<int> const& ranks, std::span<double const> values,
                arrivals& in) override {
    check_petsc(PetscCommBuildTwoSidedSetType(comm_, type_), "PetscCommBuildTwoSidedSetType");
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
  PetscBuildTwoSidedType type_;
  std::vector<double> out_;
  double* in_ = nullptr; ///< allocated by PETSc
};

} // namespace

std::unique_ptr<way> make_petsc_allreduce(MPI_Comm comm, int length) {
  return std::make_unique<petsc>(comm, length, PETSC_BUILDTWOSIDED_ALLREDUCE);
}
std::unique_ptr<way> make_petsc_ibarrier(MPI_Comm comm, int length) {
  return std::make_unique<petsc>(comm, length, PETSC_BUILDTWOSIDED_IBARRIER);
}
std::unique_ptr<way> make_petsc_redscatter(MPI_Comm comm, int length) {
  return std::make_unique<petsc>(comm, length, PETSC_BUILDTWOSIDED_REDSCATTER);
}

} // namespace sparse_bench
