/// The shock tube of Sod (1978) and its exact solution: a membrane at 0.5 parts a gas of density and
/// pressure 1 from one of density 0.125 and pressure 0.1; a rarefaction runs down, a contact and a
/// shock run up.
#pragma once

#include "gas.hpp"

namespace euler {

constexpr gas sod_low{1.0, 1.0, {}}, sod_high{0.125, 0.1, {}};

/// The exact solution, from the pressure between the waves.
class sod_tube {
public:
  sod_tube() {
    double least = sod_high.pressure, most = sod_low.pressure;
    for (int n = 0; n < 60; ++n) {
      double const middle = 0.5 * (least + most);
      (behind_rarefaction(middle) > behind_shock(middle) ? least : most) = middle;
    }
    pressure_ = least;
    velocity_ = behind_shock(pressure_);
    low_density_ = sod_low.density * std::pow(pressure_ / sod_low.pressure, 1 / gamma);
    double const ratio = pressure_ / sod_high.pressure;
    high_density_ = sod_high.density * (ratio + k) / (k * ratio + 1);
  }

  double pressure() const { return pressure_; }
  double velocity() const { return velocity_; }
  double head() const { return -sod_low.speed_of_sound(); }
  double tail() const { return velocity_ - std::sqrt(gamma * pressure_ / low_density_); }
  double shock() const { return velocity_ * high_density_ / (high_density_ - sod_high.density); }

  /// @param speed  (x - 0.5) / time
  double density(double speed) const {
    if (speed < head())
      return sod_low.density;
    if (speed < tail()) {
      double const sound = sod_low.speed_of_sound();
      return sod_low.density * std::pow(2 / (gamma + 1) - k * speed / sound, 2 / (gamma - 1));
    }
    return speed < velocity_ ? low_density_ : speed < shock() ? high_density_ : sod_high.density;
  }

private:
  static constexpr double k = (gamma - 1) / (gamma + 1);

  /// The velocities behind waves to this pressure.
  static double behind_rarefaction(double p) {
    return 2 * sod_low.speed_of_sound() / (gamma - 1) *
           (1 - std::pow(p / sod_low.pressure, (gamma - 1) / (2 * gamma)));
  }
  static double behind_shock(double p) {
    double const a = 2 / ((gamma + 1) * sod_high.density);
    return (p - sod_high.pressure) * std::sqrt(a / (p + k * sod_high.pressure));
  }

  double pressure_, velocity_, low_density_, high_density_;
};

} // namespace euler
