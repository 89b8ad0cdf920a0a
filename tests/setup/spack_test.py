"""spack_test.py SOURCES VERSION PART=PACKAGE,...: reads the recipe for Spack by stand-ins for what Spack
provides, and compares it with the version, with the packages that each part and those below it link,
and with the options of CMake that there are."""

import pathlib
import re
import sys
import types

sources, version, *parts = sys.argv[1:]
sources = pathlib.Path(sources)
recipe = sources / "framework/setup/spack/spack_repo/seam/packages/seam/package.py"
calls = []  # (directive, positional arguments, named arguments, the conditions around it)
conditions = []


class Condition:
    def __init__(self, spec):
        self.spec = spec

    def __enter__(self):
        conditions.append(self.spec)

    def __exit__(self, *problem):
        conditions.pop()


class Package:
    """Records what CMake is told, for the variants in `chosen`."""

    def __init__(self, **chosen):
        self.chosen = chosen
        self.spec = self

    variants = property(lambda self: {name: types.SimpleNamespace(value=value)
                                      for name, value in self.chosen.items()})

    def __getitem__(self, package):
        return types.SimpleNamespace(prefix="/" + package)

    def satisfies(self, variant):
        return self.chosen[variant[1:]]

    def define(self, name, value):
        return name, value

    def define_from_variant(self, name, variant):
        return name, self.chosen[variant]


def directive(name):
    return lambda *given, **named: calls.append((name, given, named, tuple(conditions)))


def read_recipe():
    spack = {name: directive(name) for name in ("conflicts", "depends_on", "license", "variant",
                                                "version")}
    spack["when"] = Condition
    for name, members in (("spack", {}), ("spack.package", spack), ("spack_repo", {}),
                          ("spack_repo.builtin", {}), ("spack_repo.builtin.build_systems", {}),
                          ("spack_repo.builtin.build_systems.cmake", {"CMakePackage": Package})):
        sys.modules[name] = types.ModuleType(name)
        vars(sys.modules[name]).update(members)
    names = {}
    exec(compile(recipe.read_text(), recipe, "exec"), names)
    return names["Seam"]


def given_to(name):
    return [call for call in calls if call[0] == name]


def expect(name, expected, found):
    if expected != found:
        sys.exit(f"{name}: expected {expected}, found {found}")


def packages_of(part):
    """The packages on which a build of `part` and those below it depends."""
    return {re.split("[@+]", given[0])[0] for _, given, named, around in given_to("depends_on")
            if named.get("type") != "build" and all(c == f"part={part}" for c in around)
            and named.get("when") != "+petsc"}


Seam = read_recipe()
expect("version", [version], [given[0] for _, given, _, _ in given_to("version")])

names_in_spack = {"HWLOC": "hwloc", "WEBP": "libwebp", "PNG": "libpng", "ZLIB": "zlib-api"}
for part, packages in (part.split("=") for part in parts):
    expected = {names_in_spack.get(package, package.lower()) for package in packages.split(",")}
    expect(f"packages of {part}", expected, packages_of(part))

cmake = "".join(path.read_text() for path in sources.glob("framework/cmake/*.cmake"))
for chosen in ("exchange", "all"):
    recipe = Seam(part=chosen, petsc=True, benchmarks=True, shared=True, checked=False)
    for name, _ in recipe.cmake_args():
        if not re.search(rf"(option|set)\({name} |\$\{{{name}\}}", cmake):
            sys.exit(f"CMake is told {name}, which no list reads")
print("the recipe fits the sources")
