#include "experiments/setups.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

namespace guidelines {
namespace {

std::string capitalized(std::string word) {
  word[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(word[0])));
  return word;
}

/// MPI's name of an operation in a form, for example "Ialltoall".
std::string name_of(std::string const& operation, form how) {
  switch (how) {
  case form::blocking: return capitalized(operation);
  case form::nonblocking: return "I" + operation;
  case form::persistent: return capitalized(operation) + "_init";
  case form::partitioned: return "P" + operation + "_init";
  }
  return {};
}

void add_collectives(std::vector<setup>& all, family of, std::string const& before,
                     std::string const& prefix, std::vector<form> const& forms) {
  std::vector<std::string> operations{"allgather", "allgatherv", "alltoall", "alltoallv",
                                      "alltoallw"};
  if (of == family::seam)
    operations.emplace_back("allgatherw");
  for (std::string const& operation : operations)
    for (form how : forms)
      all.push_back({fmt::format("{}{}", before, name_of(prefix + operation, how)), of, operation,
                     how});
}

std::vector<setup> list_setups() {
  std::vector<form> const forms{form::blocking, form::nonblocking, form::persistent};
  std::vector<setup> all;
  add_collectives(all, family::neighbor, "", "neighbor_", forms);
  add_collectives(all, family::global, "", "", forms);
  add_collectives(all, family::seam, "Seam_", "",
                  {form::blocking, form::nonblocking, form::persistent, form::partitioned});
  all.push_back({"Create", family::create, ""});
  all.push_back({"Seam_create", family::seam_create, ""});
  all.push_back({"Work", family::work, ""});
  return all;
}

} // namespace

std::vector<setup> const& all_setups() {
  static std::vector<setup> const all = list_setups();
  return all;
}

setup const* setup_named(std::string_view name) {
  auto const found = std::ranges::find(all_setups(), name, &setup::name);
  return found == all_setups().end() ? nullptr : &*found;
}

} // namespace guidelines
