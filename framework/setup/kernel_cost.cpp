// What compile_cost.py compiles to find what a kernel costs: the step of a hydrodynamics code, with the
// kernels, fields and roles of CloverLeaf, of which SEAM_ALL_KERNELS leaves all 33, and else the first.
#include <seam/grid.hpp>
#include <seam/steps.hpp>

#include <cmath>

using namespace seam;

struct gas {
  Field<double, 2> density, density_then, energy, energy_then, pressure, viscosity, soundspeed;
  Field<double, 2> volume, pre_volume, post_volume, mass_flux, energy_flux;
  Field<double, 2> x_velocity, x_velocity_then, y_velocity, y_velocity_then;
  Field<double, 2> node_flux, node_mass, node_mass_before, momentum_flux;
  Field<double, 2> x_flux, y_flux, x_area, y_area;
};

struct totals {
  Value<double> dt{"dt"}, volume{"volume"}, mass{"mass"}, internal{"internal"}, kinetic{"kinetic"};
};

/// @tparam I  1 along x, 0 along y
template <int I>
void advect_cells(Steps<2>& step, gas& of, Field<double, 2>& volume_flux) {
  constexpr int i = I, j = 1 - I;
  step.each(
      "cell fluxes", writes(of.mass_flux), writes(of.energy_flux), reads(volume_flux),
      reads(of.pre_volume, line(j, -2, 1)), reads(of.density_then, line(j, -2, 1)),
      reads(of.energy_then, line(j, -2, 1)),
      SEAM_KERNEL(auto mass, auto energy, auto flux, auto volume, auto rho, auto e) {
        bool const is_up = flux() > 0;
        double const donor = is_up ? rho(-i, -j) : rho(0, 0);
        double const up = is_up ? rho(-i, -j) - rho(-2 * i, -2 * j) : rho(0, 0) - rho(i, j);
        double const down = is_up ? rho(0, 0) - rho(-i, -j) : rho(-i, -j) - rho(0, 0);
        double const part = std::abs(flux()) / (is_up ? volume(-i, -j) : volume(0, 0));
        double const limited = std::min(std::abs(up), std::abs(down)) * (1 - part);
        mass = flux() * (donor + (up * down > 0 ? std::copysign(limited, down) : 0.0));
        energy = flux() * donor * (is_up ? e(-i, -j) : e(0, 0));
      });
  step.each(
      "advect cells", modifies(of.density_then), modifies(of.energy_then), reads(of.pre_volume),
      reads(volume_flux, at({{0, 0}, {i, j}})), reads(of.mass_flux, at({{0, 0}, {i, j}})),
      reads(of.energy_flux, at({{0, 0}, {i, j}})),
      SEAM_KERNEL(auto rho, auto e, auto volume, auto flux, auto mass, auto energy) {
        double const before = rho() * volume();
        double const after = before + mass(0, 0) - mass(i, j);
        e = (e() * before + energy(0, 0) - energy(i, j)) / after;
        rho = after / (volume() + flux(0, 0) - flux(i, j));
      });
}

/// @tparam C  the component of the velocity
template <int I, int C>
void advect_momentum(Steps<2>& step, gas& of, Field<double, 2>& velocity) {
  constexpr int i = I, j = 1 - I;
  step.each(
      "momentum flux", writes(of.momentum_flux), reads(of.node_flux),
      reads(of.node_mass_before, line(j, 0, 1)), reads(velocity, line(j, -1, 2)),
      SEAM_KERNEL(auto momentum, auto flux, auto mass, auto u) {
        bool const is_down = flux() < 0;
        double const part = std::abs(flux()) / (is_down ? mass(i, j) : mass(0, 0));
        double const up = is_down ? u(i, j) - u(2 * i, 2 * j) : u(0, 0) - u(-i, -j);
        double const down = is_down ? u(0, 0) - u(i, j) : u(i, j) - u(0, 0);
        double const least = std::min(std::abs(up), std::abs(down)) * (1 - part);
        momentum = flux() * ((is_down ? u(i, j) : u(0, 0)) + (up * down > 0 ? least : 0.0));
      });
  step.each(
      "advect velocity", modifies(velocity), reads(of.node_mass_before), reads(of.node_mass),
      reads(of.momentum_flux, line(j, -1, 0)),
      SEAM_KERNEL(auto u, auto before, auto after, auto flux) {
        u = (u() * before() + flux(-i, -j) - flux(0, 0)) / after();
      });
}

template <int I>
void advect_nodes(Steps<2>& step, gas& of) {
  constexpr int i = I, j = 1 - I;
  stencil const around = at({{-1, -1}, {-1, 0}, {0, -1}, {0, 0}});
  stencil const beside = at({{-j, -i}, {0, 0}, {i - j, j - i}, {i, j}});
  step.each(
      "node flux", writes(of.node_flux), reads(of.mass_flux, beside),
      SEAM_KERNEL(auto flux, auto mass) {
        flux = 0.25 * (mass(-j, -i) + mass(0, 0) + mass(i - j, j - i) + mass(i, j));
      });
  step.each(
      "node mass", writes(of.node_mass), writes(of.node_mass_before),
      reads(of.density_then, around), reads(of.post_volume, around),
      reads(of.node_flux, line(j, -1, 0)),
      SEAM_KERNEL(auto mass, auto before, auto rho, auto volume, auto flux) {
        double const now = 0.25 * (rho(0, -1) * volume(0, -1) + rho(0, 0) * volume(0, 0) +
                                   rho(-1, -1) * volume(-1, -1) + rho(-1, 0) * volume(-1, 0));
        mass = now;
        before = now - flux(-i, -j) + flux(0, 0);
      });
  advect_momentum<I, 0>(step, of, of.x_velocity_then);
  advect_momentum<I, 1>(step, of, of.y_velocity_then);
}

void add_kernels(Steps<2>& step, gas& of, [[maybe_unused]] totals& all) {
  step.each(
      "ideal gas", writes(of.pressure), writes(of.soundspeed), reads(of.density), reads(of.energy),
      SEAM_KERNEL(auto p, auto c, auto rho, auto e) {
        double const pressure = 0.4 * rho() * e();
        double const by_energy = 0.4 * rho(), by_volume = -rho() * rho() * 0.4 * e();
        p = pressure;
        c = std::sqrt((pressure * by_energy - by_volume) / (rho() * rho()));
      });
#ifdef SEAM_ALL_KERNELS
  stencil const corners = at({{0, 0}, {0, 1}, {1, 0}, {1, 1}});
  stencil const around = at({{-1, -1}, {-1, 0}, {0, -1}, {0, 0}});
  step.each(
      "viscosity", writes(of.viscosity), reads(of.density), reads(of.pressure, star(1)),
      reads(of.x_velocity, corners), reads(of.y_velocity, corners),
      SEAM_KERNEL(auto q, auto rho, auto p, auto u, auto v) {
        double const du = (u(1, 0) + u(1, 1)) - (u(0, 0) + u(0, 1));
        double const dv = (v(0, 1) + v(1, 1)) - (v(0, 0) + v(1, 0));
        double const px = p(1, 0) - p(-1, 0), py = p(0, 1) - p(0, -1);
        double const length = px * px + py * py, strain = px * px * du + py * py * dv;
        q = du + dv < 0 && strain < 0 ? 2 * rho() * strain * strain / (length * length + 1e-30)
                                      : 0.0;
      });
  step.each(
      "time step", minimum(all.dt), reads(of.soundspeed), reads(of.viscosity), reads(of.density),
      reads(of.volume), reads(of.x_velocity, corners), reads(of.y_velocity, corners),
      SEAM_KERNEL(auto least, auto c, auto q, auto rho, auto volume, auto u, auto v) {
        double const speed = std::sqrt(c() * c() + 2 * q() / rho());
        double const du = u(1, 0) - u(0, 0), dv = v(0, 1) - v(0, 0);
        least(0.7 * std::sqrt(volume()) / std::max(1e-9, speed + std::abs(du) + std::abs(dv)));
      });
  step.each(
      "predict work", writes(of.energy_then), writes(of.density_then), reads(of.density),
      reads(of.energy), reads(of.pressure), reads(of.viscosity), reads(of.volume),
      reads(of.x_velocity, corners), reads(of.y_velocity, corners), with(all.dt),
      SEAM_KERNEL(auto e1, auto rho1, auto rho, auto e, auto p, auto q, auto volume, auto u, auto v,
                  double dt) {
        double const flux = 0.125 * dt * (u(1, 0) + u(1, 1) - u(0, 0) - u(0, 1) + v(0, 1));
        double const change = volume() / (volume() + flux + v(1, 1));
        e1 = e() - (p() + q()) / rho() * flux / volume();
        rho1 = rho() * change;
      });
  step.each(
      "ideal gas of prediction", writes(of.pressure), writes(of.soundspeed), reads(of.density_then),
      reads(of.energy_then), SEAM_KERNEL(auto p, auto c, auto rho, auto e) {
        p = 0.4 * rho() * e();
        c = std::sqrt(1.4 * 0.4 * e());
      });
  step.each(
      "revert", writes(of.density_then), writes(of.energy_then), reads(of.density),
      reads(of.energy), SEAM_KERNEL(auto rho1, auto e1, auto rho, auto e) {
        rho1 = rho();
        e1 = e();
      });
  step.each(
      "accelerate", writes(of.x_velocity_then), writes(of.y_velocity_then), reads(of.x_velocity),
      reads(of.y_velocity), reads(of.density, around), reads(of.volume, around),
      reads(of.pressure, around), reads(of.viscosity, around), with(all.dt),
      SEAM_KERNEL(auto u1, auto v1, auto u, auto v, auto rho, auto volume, auto p, auto q,
                  double dt) {
        double const mass = rho(-1, -1) * volume(-1, -1) + rho(0, -1) * volume(0, -1) +
                            rho(0, 0) * volume(0, 0) + rho(-1, 0) * volume(-1, 0);
        double const by = 0.5 * dt / (0.25 * mass);
        u1 = u() - by * (p(0, 0) - p(-1, 0) + p(0, -1) - p(-1, -1) + q(0, 0) - q(-1, 0));
        v1 = v() - by * (p(0, 0) - p(0, -1) + p(-1, 0) - p(-1, -1) + q(0, 0) - q(0, -1));
      });
  step.each(
      "correct work", writes(of.energy_then), writes(of.density_then), reads(of.density),
      reads(of.energy), reads(of.pressure), reads(of.volume), reads(of.x_velocity_then, corners),
      reads(of.y_velocity_then, corners), with(all.dt),
      SEAM_KERNEL(auto e1, auto rho1, auto rho, auto e, auto p, auto volume, auto u, auto v,
                  double dt) {
        double const flux = 0.25 * dt * (u(1, 0) - u(0, 0) + v(0, 1) - v(0, 0));
        e1 = e() - p() / rho() * flux / volume();
        rho1 = rho() * volume() / (volume() + flux);
      });
  step.each(
      "volume flux along x", writes(of.x_flux), reads(of.x_area),
      reads(of.x_velocity, at({{0, 0}, {0, 1}})), reads(of.x_velocity_then, at({{0, 0}, {0, 1}})),
      with(all.dt), SEAM_KERNEL(auto flux, auto area, auto u, auto u1, double dt) {
        flux = 0.25 * dt * area() * (u(0, 0) + u(0, 1) + u1(0, 0) + u1(0, 1));
      });
  step.each(
      "volume flux along y", writes(of.y_flux), reads(of.y_area),
      reads(of.y_velocity, at({{0, 0}, {1, 0}})), reads(of.y_velocity_then, at({{0, 0}, {1, 0}})),
      with(all.dt), SEAM_KERNEL(auto flux, auto area, auto v, auto v1, double dt) {
        flux = 0.25 * dt * area() * (v(0, 0) + v(1, 0) + v1(0, 0) + v1(1, 0));
      });
  step.each(
      "volumes before x", writes(of.pre_volume), writes(of.post_volume), reads(of.volume),
      reads(of.x_flux, at({{0, 0}, {1, 0}})), reads(of.y_flux, at({{0, 0}, {0, 1}})),
      SEAM_KERNEL(auto before, auto after, auto volume, auto x, auto y) {
        before = volume() + x(1, 0) - x(0, 0) + y(0, 1) - y(0, 0);
        after = volume() + y(0, 1) - y(0, 0);
      });
  advect_cells<1>(step, of, of.x_flux);
  step.each(
      "volumes before y", writes(of.pre_volume), writes(of.post_volume), reads(of.volume),
      reads(of.y_flux, at({{0, 0}, {0, 1}})),
      SEAM_KERNEL(auto before, auto after, auto volume, auto y) {
        before = volume() + y(0, 1) - y(0, 0);
        after = volume();
      });
  advect_cells<0>(step, of, of.y_flux);
  advect_nodes<1>(step, of);
  advect_nodes<0>(step, of);
  step.each(
      "reset cells", updates(of.density), updates(of.energy), reads(of.density_then),
      reads(of.energy_then), SEAM_KERNEL(auto rho, auto e, auto rho1, auto e1) {
        rho = rho1();
        e = e1();
      });
  step.each(
      "reset nodes", updates(of.x_velocity), updates(of.y_velocity), reads(of.x_velocity_then),
      reads(of.y_velocity_then), SEAM_KERNEL(auto u, auto v, auto u1, auto v1) {
        u = u1();
        v = v1();
      });
  step.each(
      "sum mass", sum(all.volume), sum(all.mass), reads(of.volume), reads(of.density),
      SEAM_KERNEL(auto whole, auto mass, auto volume, auto rho) {
        whole(volume());
        mass(volume() * rho());
      });
  step.each(
      "sum internal energy", sum(all.internal), reads(of.volume), reads(of.density),
      reads(of.energy),
      SEAM_KERNEL(auto sum, auto volume, auto rho, auto e) { sum(volume() * rho() * e()); });
  step.each(
      "sum kinetic energy", sum(all.kinetic), reads(of.volume), reads(of.density),
      reads(of.x_velocity, corners), reads(of.y_velocity, corners),
      SEAM_KERNEL(auto sum, auto volume, auto rho, auto u, auto v) {
        double square = 0;
        for (int i = 0; i < 2; ++i)
          for (int j = 0; j < 2; ++j)
            square += u(i, j) * u(i, j) + v(i, j) * v(i, j);
        sum(0.125 * volume() * rho() * square);
      });
#endif
}
