#include <seam/exchange/steps/program/step_recorder.hpp>

#include <seam/exchange/ground/checks.hpp>
#include <seam/exchange/ground/error.hpp>
#include <seam/exchange/steps/program/step_program.hpp>
#include <seam/exchange/steps/program/step_space.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <type_traits>

namespace seam::detail {
namespace {

/// Whether it is among the few that have been noted.
template <class T>
bool is_noted(std::vector<T> const& noted, std::type_identity_t<T> const& it) {
  return std::ranges::find(noted, it) != noted.end();
}

template <class T>
void note(std::vector<T>& noted, std::type_identity_t<T> const& it) {
  if (!is_noted(noted, it))
    noted.push_back(it);
}

} // namespace

step_recorder::step_recorder(std::string kernel, std::vector<step_access> accesses,
                             std::vector<std::string> names, std::vector<int> overwritten,
                             int num_axes)
    : kernel_(std::move(kernel)),
      accesses_(std::move(accesses)),
      names_(std::move(names)),
      overwritten_(std::move(overwritten)),
      num_axes_(num_axes),
      read_(accesses_.size()),
      written_(accesses_.size()) {}

step_recorder::step_recorder(step_recorder const&) = default;
step_recorder::~step_recorder() = default;

/// The entries of an index, as users know it.
std::string step_recorder::in_words(index3 const& at) const {
  return fmt::format("{}", fmt::join(at.end() - num_axes_, at.end(), ", "));
}

/// Lists offsets, or the first of many: "(0, 0), (1, 0) or (-1, 0)".
std::string step_recorder::in_words(std::vector<index3> const& offsets) const {
  constexpr std::ptrdiff_t most = 9;
  std::ptrdiff_t const count = std::ssize(offsets), listed = std::min(count, most);
  std::string words;
  for (std::ptrdiff_t k = 0; k < listed; ++k) {
    char const* const link = k == 0 ? "" : k + 1 == count ? " or " : ", ";
    words += fmt::format("{}({})", link, in_words(offsets[k]));
  }
  if (listed < count)
    words += fmt::format(" or one of {} more that it declares", count - listed);
  return words;
}

void step_recorder::note_read(int access, int component, index3 const& offset) {
  step_access const& declared = accesses_[access];
  if (component < 0 || component >= declared.count)
    refuse(fmt::format("steps: kernel '{}' reads component {} of '{}' (expected 0 to {})", kernel_,
                       component, names_[access], declared.count - 1));
  auto const& list = declared.offsets_of(declared.first + component);
  if (std::ranges::find(list, offset) == list.end())
    refuse(fmt::format("steps: kernel '{}' reads '{}' at offset ({}), which it does not declare "
                       "(expected {})",
                       kernel_, names_[access], in_words(offset), in_words(list)));
  if (int const by = overwritten_[access];
      by >= 0 && is_noted(written_[by], declared.first + component - accesses_[by].first))
    refuse(words_of_late_read(kernel_, names_[access]));
  if (is_probe)
    note(read_[access], {component, offset});
}

void step_recorder::note_write(int access, int component, index3 const& offset) {
  step_access const& declared = accesses_[access];
  if (component < 0 || component >= declared.count)
    refuse(fmt::format("steps: kernel '{}' writes component {} of '{}' (expected 0 to {})", kernel_,
                       component, names_[access], declared.count - 1));
  auto const& list = declared.offsets_of(declared.first + component);
  if (std::ranges::find(list, offset) == list.end())
    refuse(fmt::format("steps: kernel '{}' adds to '{}' at offset ({}), which it does not declare "
                       "(expected {})",
                       kernel_, names_[access], in_words(offset), in_words(list)));
  note(written_[access], component);
  if (is_probe && declared.is_added())
    note(read_[access], {component, offset});
}

void step_recorder::begin_cell() {
  for (auto& components : written_)
    components.clear();
}

void step_recorder::require_written(index3 const& place) const {
  for (int a = 0; a < std::ssize(accesses_); ++a) {
    bool const is_due = accesses_[a].is_written() && !traits_of(accesses_[a].role).keeps;
    if (is_due && std::ssize(written_[a]) < accesses_[a].count)
      refuse(fmt::format("steps: kernel '{}' leaves '{}' without a value at ({}) (expected a value "
                         "in every cell; modifies() and where() are for those that keep theirs)",
                         kernel_, names_[a], in_words(place)));
  }
}

std::string step_recorder::unread() const {
  std::string text;
  for (int a = 0; a < std::ssize(accesses_); ++a) {
    if (!accesses_[a].is_read())
      continue;
    std::vector<std::string> missing;
    for (int c = 0; c < accesses_[a].count; ++c)
      for (auto const& offset : accesses_[a].offsets_of(accesses_[a].first + c))
        if (offset != index3{} && !is_noted(read_[a], {c, offset}))
          missing.push_back(fmt::format("({})", in_words(offset)));
    std::ranges::sort(missing);
    missing.erase(std::unique(missing.begin(), missing.end()), missing.end());
    if (!missing.empty())
      text += fmt::format("  kernel '{}' declares offsets of '{}' that it does not read: {}\n",
                          kernel_, names_[a], fmt::join(missing, " "));
  }
  return text;
}

std::string probe_kernels(step_program& program, int num_workers) {
  std::string unread;
  for (step_kernel& kernel : program.kernels) {
    if (!kernel.body || !kernel.body->is_watchable())
      continue;
    std::vector<std::string> names;
    for (step_access const& access : kernel.declared)
      names.push_back(program.fields[access.field]->name);
    std::vector<int> overwritten;
    for (step_access const& access : kernel.declared)
      overwritten.push_back(overwriting_access(kernel, access, *program.fields[access.field]));
    step_recorder recorder(kernel.name, kernel.declared, names, overwritten, program.num_axes);
    kernel.body->probe(kernel, recorder);
    unread += recorder.unread();
    recorder.is_probe = false;
    kernel.recorders.reset();
    if (checks_are_on())
      kernel.recorders = std::make_shared<std::vector<step_recorder>>(num_workers, recorder);
  }
  return unread;
}

} // namespace seam::detail
