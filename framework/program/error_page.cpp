#include <seam/framework/program/error_page.hpp>

#include <algorithm>
#include <array>

namespace seam::detail {
namespace {

struct subject_page {
  std::string_view subject, page;
};

constexpr std::string_view lines = "docs/troubleshooting.md", mapping = "docs/mapping.md",
                           meshes = "docs/meshes.md", outputs = "docs/outputs.md",
                           partitioned = "docs/partitioned.md";

/// The first words of error lines, before a colon or a quoted name.
constexpr std::array pages = std::to_array<subject_page>({
    {"animation", outputs},
    {"arrived", partitioned},
    {"box mesh", meshes},
    {"checkpoint", "docs/restart.md"},
    {"collective", lines},
    {"color map", outputs},
    {"coloring", meshes},
    {"communicator", "docs/collectives.md"},
    {"diffusion", "docs/petsc.md"},
    {"dimension order", mapping},
    {"dimensions", mapping},
    {"dot", "docs/tutorial.md"},
    {"endpoints", "docs/endpoints.md"},
    {"exchange", lines},
    {"field", lines},
    {"fluxes", meshes},
    {"gmsh", "docs/read-mesh.md"},
    {"gradients", meshes},
    {"graph", lines},
    {"grid", lines},
    {"halo", lines},
    {"independent set", meshes},
    {"input", lines},
    {"iterate", "docs/steps.md"},
    {"machine", mapping},
    {"mapping", mapping},
    {"mesh", meshes},
    {"migrate", meshes},
    {"naming", mapping},
    {"neighborhood", mapping},
    {"output", outputs},
    {"partition", meshes},
    {"partitions", partitioned},
    {"petsc", "docs/petsc.md"},
    {"picture", outputs},
    {"plot", outputs},
    {"point cloud", meshes},
    {"prepare_partitioned", partitioned},
    {"preduce_init", partitioned},
    {"reordering", mapping},
    {"runtime", "docs/embedding.md"},
    {"series", outputs},
    {"solver", "docs/petsc.md"},
    {"sparse exchange", "docs/sparse.md"},
    {"start", lines},
    {"steps", "docs/steps.md"},
    {"vtkhdf", outputs},
    {"window", "docs/windows.md"},
});

} // namespace

std::string_view page_of(std::string_view line) noexcept {
  auto const begins = [line](subject_page const& of) {
    auto const rest = line.substr(std::min(line.size(), of.subject.size()));
    return line.starts_with(of.subject) && (rest.starts_with(':') || rest.starts_with(" '"));
  };
  auto const found = std::ranges::find_if(pages, begins);
  return found == pages.end() ? std::string_view() : found->page;
}

} // namespace seam::detail
