// PETSc's PetscCommBuildTwoSided, by each of its algorithms.
#include "way.hpp"

#include <petsc/session.hpp>

#include <petscsys.h>

namespace sparse_bench {
namespace {

using petsc::check;

class petsc_way final : public way {
public:
  petsc_way(MPI_Comm comm, int length, PetscBuildTwoSidedType type)
      : comm_(comm), length_(length), type_(type) {
    petsc::start();
  }
  ~petsc_way() override { static_cast<void>(PetscFree(in_)); }

  void exchange(std::vector<int> const& ranks, std::span<double const> values,
                arrivals& in) override {
    check(PetscCommBuildTwoSidedSetType(comm_, type_), "PetscCommBuildTwoSidedSetType");
    pack(ranks, values, out_);
    check(PetscFree(in_), "PetscFree");
    PetscMPIInt num_sources = 0;
    PetscMPIInt* sources = nullptr;
    check(PetscCommBuildTwoSided(comm_, length_, MPI_DOUBLE, static_cast<PetscMPIInt>(ranks.size()),
                                 ranks.data(), out_.data(), &num_sources, &sources,
                                 static_cast<void*>(&in_)),
          "PetscCommBuildTwoSided");
    in.ranks.assign(sources, sources + num_sources);
    check(PetscFree(sources), "PetscFree");
    point_to(in_, values.size(), in);
  }

private:
  MPI_Comm comm_;
  PetscMPIInt length_;
  PetscBuildTwoSidedType type_;
  std::vector<double> out_;
  double* in_ = nullptr; ///< PETSc's
};

} // namespace

std::unique_ptr<way> make_petsc_allreduce(MPI_Comm comm, int length) {
  return std::make_unique<petsc_way>(comm, length, PETSC_BUILDTWOSIDED_ALLREDUCE);
}
std::unique_ptr<way> make_petsc_ibarrier(MPI_Comm comm, int length) {
  return std::make_unique<petsc_way>(comm, length, PETSC_BUILDTWOSIDED_IBARRIER);
}
std::unique_ptr<way> make_petsc_redscatter(MPI_Comm comm, int length) {
  return std::make_unique<petsc_way>(comm, length, PETSC_BUILDTWOSIDED_REDSCATTER);
}

} // namespace sparse_bench
