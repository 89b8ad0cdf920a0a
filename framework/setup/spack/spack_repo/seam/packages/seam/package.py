"""seam for Spack 1.0 or newer; docs/install.md says how to use it."""

from spack_repo.builtin.build_systems.cmake import CMakePackage

from spack.package import *


class Seam(CMakePackage):
    """Stencils, exchange and mapping: grids, meshes and the messages between
    their parts, for programs in C++20 on MPI and Kokkos."""

    license("MIT")

    # No archive of sources is published: `spack develop` or `spack dev-build` names a checkout.
    version("0.1.0")

    variant(
        "part",
        default="all",
        values=("exchange", "mapping", "c", "stencil", "mesh", "all"),
        multi=False,
        description="Build this part and those below it; all has the programs, too",
    )
    variant("shared", default=True, description="Build shared libraries")
    variant("checked", default=False, description="Check invariants and the bounds of views")
    variant("petsc", default=False, when="part=all", description="Use PETSc")
    variant(
        "benchmarks",
        default=False,
        when="part=all",
        description="Build seam-bench-* and seam-guidelines, too",
    )

    depends_on("c", type="build")
    depends_on("cxx", type="build")
    depends_on("cmake@3.25:", type="build")
    depends_on("mpi")
    depends_on("fmt")

    for part in ("mapping", "c", "stencil", "mesh", "all"):
        with when(f"part={part}"):
            depends_on("pkgconfig", type="build")
            depends_on("hwloc")
            depends_on("scotch+mpi")

    for part in ("stencil", "mesh", "all"):
        with when(f"part={part}"):
            depends_on("kokkos@3.4: +openmp")
            depends_on("kokkos+shared", when="+shared")
            depends_on("kokkos+pic", when="~shared")

    with when("part=all"):
        depends_on("cli11")
        depends_on("hdf5+mpi")
        depends_on("libpng")
        depends_on("libwebp+libwebpmux")
        depends_on("zlib-api")
        depends_on("petsc", when="+petsc")

    with when("+benchmarks"):
        for package in ("jinja2", "matplotlib", "pandas", "scipy"):
            depends_on(f"py-{package}", type="run")

    conflicts("%gcc@:10", msg="seam needs GCC 11 or newer")
    conflicts("%clang@:13", msg="seam needs Clang 14 or newer")

    def cmake_args(self):
        part = self.spec.variants["part"].value
        args = [
            self.define("SEAM_TESTS", False),
            self.define("SEAM_PARTS", "" if part == "all" else part),
            self.define("SEAM_PETSC", self.spec.satisfies("+petsc")),
            self.define("SEAM_BENCHMARKS", self.spec.satisfies("+benchmarks")),
            self.define_from_variant("BUILD_SHARED_LIBS", "shared"),
            self.define_from_variant("SEAM_CHECKED", "checked"),
        ]
        if part != "exchange":
            args.append(self.define("Scotch_ROOT", self.spec["scotch"].prefix))
        return args
