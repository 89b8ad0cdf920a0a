#include <seam/framework/program/option_list.hpp>

#include <seam/exchange/ground/error.hpp>

#include <CLI/CLI.hpp>

#include <cmath>
#include <type_traits>

namespace seam {
namespace {

template <class Value>
option with_default(CLI::App& cli, CLI::Option* made, Value const& value) {
  if (value != Value{})
    made->capture_default_str();
  return {cli, *made};
}

/// Refuses what is in no range, though it is not outside of one either.
std::string refuse_nan(std::string const& text) {
  double value = 0;
  return CLI::detail::lexical_cast(text, value) && std::isnan(value)
             ? "'" + text + "' (expected a number)"
             : "";
}

template <class Number>
option& check_range(option& refined, CLI::Option& made, Number least, Number most,
                    std::string const& name) {
  made.check(name.empty() ? CLI::Range(least, most) : CLI::Range(least, most, name));
  if constexpr (std::is_floating_point_v<Number>)
    made.check(CLI::Validator(refuse_nan, ""));
  return refined;
}

} // namespace

option& option::between(int least, int most, std::string const& name) {
  return check_range(*this, *made_, least, most, name);
}

option& option::between(std::int64_t least, std::int64_t most, std::string const& name) {
  return check_range(*this, *made_, least, most, name);
}

option& option::between(double least, double most, std::string const& name) {
  return check_range(*this, *made_, least, most, name);
}

option& option::one_of(std::vector<std::string> const& words) {
  made_->check(CLI::IsMember(words));
  return *this;
}

option& option::must(value_check const& check) {
  made_->check(check);
  return *this;
}

option& option::changed_by(value_change const& change) {
  made_->transform(change);
  return *this;
}

option& option::named(std::string const& value) {
  made_->type_name(value);
  return *this;
}

option& option::within(std::string const& group) {
  made_->group(group);
  return *this;
}

option& option::required() {
  made_->required();
  return *this;
}

option& option::needs(std::string const& other) {
  made_->needs(cli_->get_option(other));
  return *this;
}

void option_list::describe(std::string const& sentence) const { cli_->description(sentence); }

void option_list::end_help(std::string const& text) const { cli_->footer(text); }

option option_list::add(std::string const& name, int& value, std::string const& help) const {
  return with_default(*cli_, cli_->add_option(name, value, help), value);
}

option option_list::add(std::string const& name, std::int64_t& value,
                        std::string const& help) const {
  return with_default(*cli_, cli_->add_option(name, value, help), value);
}

option option_list::add(std::string const& name, std::uint64_t& value,
                        std::string const& help) const {
  return with_default(*cli_, cli_->add_option(name, value, help), value);
}

option option_list::add(std::string const& name, double& value, std::string const& help) const {
  return with_default(*cli_, cli_->add_option(name, value, help), value);
}

option option_list::add(std::string const& name, std::string& value,
                        std::string const& help) const {
  return with_default(*cli_, cli_->add_option(name, value, help), value);
}

option option_list::add(std::string const& name, std::vector<int>& values,
                        std::string const& help) const {
  return with_default(*cli_, cli_->add_option(name, values, help)->delimiter(','), values);
}

option option_list::add(std::string const& name, std::vector<double>& values,
                        std::string const& help) const {
  return with_default(*cli_, cli_->add_option(name, values, help)->delimiter(','), values);
}

option option_list::add(std::string const& name, std::vector<std::string>& values,
                        std::string const& help) const {
  return with_default(*cli_, cli_->add_option(name, values, help)->delimiter(','), values);
}

option option_list::add(std::string const& name,
                        std::function<void(std::string const& value)> const& read,
                        std::string const& help) const {
  return option(*cli_, *cli_->add_option_function<std::string>(name, read, help))
      .must(is_read_by(read));
}

option option_list::add_flag(std::string const& name, bool& is_given,
                             std::string const& help) const {
  return {*cli_, *cli_->add_flag(name, is_given, help)};
}

} // namespace seam
