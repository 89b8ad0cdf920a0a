#include "flow.hpp"

namespace mesh_bench {
namespace {

class flow_by_steps final : public contender {
public:
  explicit flow_by_steps(seam::Mesh const& mesh)
      : q_(mesh.field<state>("q", seam::cells)),
        old_(mesh.field<state>("old", seam::cells)),
        res_(mesh.field<state>("res", seam::cells)),
        adt_(mesh.field<double>("adt", seam::cells)),
        step_(mesh) {
    q_.fill(first_state);
    auto const n = seam::normals<2>(mesh);
    step_.each(
        "save", writes(old_), reads(q_), SEAM_KERNEL(auto old, auto q) { old = q(); });
    for (int half = 0; half < 2; ++half)
      declare_half(mesh, n);
  }

  void run(std::int64_t iterations) override { step_.run(iterations); }
  seam::MeshField<state> const& states() const override { return q_; }

private:
  void declare_half(seam::Mesh const& mesh, seam::MeshField<normal> const& n);

  seam::MeshField<state> q_, old_, res_;
  seam::MeshField<double> adt_;
  seam::Value<double> change_{"change"};
  seam::Steps<seam::on_mesh> step_;
};

void flow_by_steps::declare_half(seam::Mesh const& mesh, seam::MeshField<normal> const& n) {
  using seam::cells, seam::sides;
  step_.each(
      "time step", writes(adt_), reads(q_), reads(n, sides),
      SEAM_KERNEL(auto adt, auto q, auto normals) {
        double const sound = sound_in(q());
        double sum = 0;
        for (int k = 0; k < normals.count(); ++k)
          sum += speed_through(q(), sound, normals(k));
        adt = sum / cfl;
      });
  step_.each(
      "flux", mesh.inner(sides), reads(q_, cells), reads(adt_, cells), reads(n),
      collects(res_, cells), SEAM_KERNEL(auto q, auto adt, auto normals, auto res) {
        state const f = flux(q(0), q(1), 0.5 * (adt(0) + adt(1)) * eps, normals());
        res(0) += f;
        res(1) -= f;
      });
  state const far = far_field();
  step_.each(
      "far field", mesh.border(), reads(q_, cells), reads(adt_, cells), reads(n), adds(res_, cells),
      SEAM_KERNEL(auto q, auto adt, auto normals, auto res) {
        res(0) += flux(q(0), far, adt(0) * eps, normals());
      });
  step_.each(
      "update", writes(q_), reads(old_), reads(res_), reads(adt_), sum(change_),
      SEAM_KERNEL(auto q, auto old, auto res, auto adt, auto total) {
        state const del = (1 / adt()) * res();
        q = old() - del;
        total(dot(del, del));
      });
}

} // namespace

std::unique_ptr<contender> by_steps(seam::Mesh const& mesh) {
  return std::make_unique<flow_by_steps>(mesh);
}

} // namespace mesh_bench
