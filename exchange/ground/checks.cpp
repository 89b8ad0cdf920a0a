#include <seam/exchange/ground/checks.hpp>

#include <seam/exchange/ground/setting.hpp>

namespace seam {
using namespace detail;

namespace {

#if defined(SEAM_CHECKED) && SEAM_CHECKED
constexpr bool on_by_default = true;
#else
constexpr bool on_by_default = false;
#endif

constinit detail::on_off_setting checks("SEAM_CHECKS", on_by_default);

} // namespace

bool checks_are_on() { return checks.is_on(); }

void set_checks(bool on) noexcept { checks.set(on); }

} // namespace seam
