#include <seam/exchange/ground/checks.hpp>

#include <seam/exchange/ground/setting.hpp>

namespace seam {
using namespace detail;

namespace {

constinit bool is_checked = false;
constinit detail::on_off_setting checks("SEAM_CHECKS", false);

} // namespace

bool checks_are_on() { return checks.is_on(); }

void set_checks(bool on) noexcept { checks.set(on); }

bool detail::program_is_checked() noexcept { return is_checked; }

bool detail::note_checked_program() noexcept {
  is_checked = true;
  checks.set_default(true);
  return true;
}

} // namespace seam
