// PETSc's PetscCommBuildTwoSided, by each of its algorithms.
#include "way.hpp"

#include <seam/exchange/error.hpp>

#include <petscsys.h>

#include <fmt/format.h>

namespace sparse_bench {
namespace {

void check(PetscErrorCode code, char const* call) {
  if (code != 0)
    throw seam::error(fmt::format("{} failed with PETSc's error {}", call, code));
}

/// PETSc, started when first needed and ended with the program's last communicator.
void start_petsc() {
  PetscBool running = PETSC_FALSE;
  check(PetscInitialized(&running), "PetscInitialized");
  if (running)
    return;
  check(PetscOptionsSetValue(nullptr, "-no_signal_handler", "true"), "PetscOptionsSetValue");
  check(PetscInitializeNoArguments(), "PetscInitializeNoArguments");
  auto const end = [](MPI_Comm, int, void*, void*) -> int { return PetscFinalize(); };
  int key = MPI_KEYVAL_INVALID;
  MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, end, &key, nullptr);
  MPI_Comm_set_attr(MPI_COMM_SELF, key, nullptr);
}

class petsc final : public way {
public:
  petsc(MPI_Comm comm, int length, PetscBuildTwoSidedType type)
      : comm_(comm), length_(length), type_(type) {
    start_petsc();
  }
  ~petsc() override { static_cast<void>(PetscFree(in_)); }

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
  return std::make_unique<petsc>(comm, length, PETSC_BUILDTWOSIDED_ALLREDUCE);
}
std::unique_ptr<way> make_petsc_ibarrier(MPI_Comm comm, int length) {
  return std::make_unique<petsc>(comm, length, PETSC_BUILDTWOSIDED_IBARRIER);
}
std::unique_ptr<way> make_petsc_redscatter(MPI_Comm comm, int length) {
  return std::make_unique<petsc>(comm, length, PETSC_BUILDTWOSIDED_REDSCATTER);
}

} // namespace sparse_bench
