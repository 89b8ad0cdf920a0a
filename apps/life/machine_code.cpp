#include "machine_code.hpp"

#if defined(__x86_64__) && defined(__linux__)

#include <sys/mman.h>

#include <algorithm>
#include <cstddef>
#include <initializer_list>
#include <optional>
#include <vector>

namespace life {
namespace {

constexpr int num_registers = 16, bytes_of_register = 32;

// General registers by their numbers, all of which a function may change: of arrays, of the distance
// from their beginnings in bytes, the same from that of their second halves, and of the end.
constexpr int of_arrays[] = {0 /*rax*/, 1 /*rcx*/, 2 /*rdx*/, 6 /*rsi*/, 8, 9};
constexpr int distance = 7 /*rdi*/, second_distance = 10, end_distance = 11;

/// Instructions as bytes.
class assembler {
public:
  std::vector<std::uint8_t> bytes;

  void emit(std::initializer_list<int> list) {
    for (int const byte : list)
      bytes.push_back(static_cast<std::uint8_t>(byte));
  }

  /// to = of(first, second), a vector instruction of three registers.
  void combine(int opcode, int to, int first, int second) {
    prefix(with_66, to, first, 0, second);
    emit({opcode, in_register(to, second)});
  }

  /// to = of << bits or of >> bits.
  void shift(bool is_left, int to, int of, int bits) {
    prefix(with_66, 0, to, 0, of);
    emit({0x73, in_register(is_left ? 6 : 2, of), bits});
  }

  /// Loads a register from memory, or stores it.
  void load(int to, place const& from) { move(0x6f, to, from); }
  void store(int of, place const& to) { move(0x7f, of, to); }

  /// Loads a general register from the arguments, whose address rdi holds.
  void load_argument(int to, std::size_t offset) {
    emit({0x48 | to >> 3 << 2, 0x8b, 0x47 | (to & 7) << 3, static_cast<int>(offset)});
  }

private:
  enum instruction_prefix { with_66 = 1, with_f3 = 2 };

  static int in_register(int field, int number) { return 0xc0 | (field & 7) << 3 | (number & 7); }

  /// The prefix of vector instructions on 32 bytes: highest bits of register numbers, inverted.
  void prefix(instruction_prefix what, int field, int first, int index, int base) {
    emit({0xc4, (~field >> 3 & 1) << 7 | (~index >> 3 & 1) << 6 | (~base >> 3 & 1) << 5 | 1,
          (~first & 15) << 3 | 4 | what});
  }

  void move(int opcode, int number, place const& where) {
    constexpr int bytes_of_word = 8;
    int const base = of_arrays[where.array], index = where.second != 0 ? second_distance : distance;
    prefix(with_f3, number, 0, index, base);
    emit({opcode, 0x44 | (number & 7) << 3, (index & 7) << 3 | (base & 7),
          where.offset * bytes_of_word & 255});
  }
};

/// Compiles steps one after another; a value keeps its register until it is used the last time.
class compiler {
public:
  explicit compiler(logic const& program) : steps_(program.steps()) {
    uses_.resize(steps_.size());
    registers_.resize(steps_.size(), none);
    for (auto s = std::ssize(steps_) - 1; s >= 0; --s)
      if (steps_[s].what == operation::store || uses_[s] > 0)
        for_each_operand(steps_[s], [&](int value) { ++uses_[value]; });
  }

  /// The whole function, if registers suffice.
  std::optional<std::vector<std::uint8_t>> compile() {
    begin();
    auto const top = std::ssize(to_.bytes);
    for (int s = 0; s < std::ssize(steps_); ++s)
      add(s);
    end(top);
    return fits_ ? std::optional(to_.bytes) : std::nullopt;
  }

private:
  static constexpr int none = -1;

  static bool has_two(step const& of) {
    return of.what >= operation::conjunction && of.what <= operation::difference;
  }

  template <class Visit>
  static void for_each_operand(step const& of, Visit const& visit) {
    if (of.what >= operation::conjunction)
      visit(of.first);
    if (has_two(of))
      visit(of.second);
  }

  void begin() {
    for (std::size_t array = 0; array < std::size(of_arrays); ++array)
      to_.load_argument(of_arrays[array], array * sizeof(void*));
    to_.load_argument(second_distance, offsetof(code_arguments, second_half));
    to_.load_argument(end_distance, offsetof(code_arguments, num_words));
    to_.emit({0x49, 0xc1, 0xe2, 3}); // shl r10, 3
    to_.emit({0x49, 0xc1, 0xe3, 3}); // shl r11, 3
    to_.emit({0x31, 0xff});          // xor edi, edi
  }

  void end(std::ptrdiff_t top) {
    to_.emit({0x48, 0x83, 0xc7, bytes_of_register}); // add rdi, 32
    to_.emit({0x49, 0x83, 0xc2, bytes_of_register}); // add r10, 32
    to_.emit({0x4c, 0x39, 0xdf, 0x0f, 0x82});        // cmp rdi, r11; jb
    auto const back = static_cast<std::uint32_t>(top - std::ssize(to_.bytes) - 4);
    for (int byte = 0; byte < 4; ++byte)
      to_.emit({static_cast<int>(back >> 8 * byte & 255)});
    to_.emit({0xc5, 0xf8, 0x77, 0xc3}); // vzeroupper; ret
  }

  /// Adds a step, but loads and constants only where they are used first.
  void add(int number) {
    step const& of = steps_[number];
    bool const waits = of.what == operation::load || of.what == operation::constant;
    if (waits || (of.what != operation::store && uses_[number] == 0))
      return;
    for_each_operand(of, [&](int value) { hold(value); });
    int const first = registers_[of.first];
    if (of.what == operation::negation)
      return negate(number, first);
    int const second = has_two(of) ? registers_[of.second] : none;
    for_each_operand(of, [&](int value) { release(value); });
    switch (of.what) {
    case operation::store: return to_.store(first, of.where);
    case operation::conjunction: return to_.combine(0xdb, take(number), first, second);
    case operation::exclusion: return to_.combine(0xdf, take(number), first, second);
    case operation::disjunction: return to_.combine(0xeb, take(number), first, second);
    case operation::difference: return to_.combine(0xef, take(number), first, second);
    default: to_.shift(of.what == operation::left_shift, take(number), first, of.second);
    }
  }

  void negate(int number, int first) {
    int const to = take(number);
    to_.combine(0x76, to, to, to); // equal to itself: all bits
    to_.combine(0xef, to, to, first);
    release(steps_[number].first);
  }

  /// Brings a value into a register.
  void hold(int value) {
    if (registers_[value] != none)
      return;
    int const to = take(value);
    if (steps_[value].what == operation::load)
      to_.load(to, steps_[value].where);
    else
      to_.combine(0xef, to, to, to); // different from itself: no bits
  }

  /// Counts one use of a value as done; behind the last its register is free.
  void release(int value) {
    if (--uses_[value] == 0)
      busy_ &= ~(1U << registers_[value]);
  }

  /// Gives a value a register that is free.
  int take(int value) {
    int number = 0;
    while (number < num_registers && (busy_ >> number & 1) != 0)
      ++number;
    fits_ = fits_ && number < num_registers;
    number %= num_registers;
    busy_ |= 1U << number;
    return registers_[value] = number;
  }

  std::span<step const> steps_;
  std::vector<int> uses_, registers_; ///< [steps]
  std::uint32_t busy_ = 0;            ///< a bit for each register
  bool fits_ = true;
  assembler to_;
};

} // namespace

std::shared_ptr<machine_code const> machine_code::of(logic const& program) {
  if (__builtin_cpu_supports("avx2") == 0)
    return nullptr;
  auto const bytes = compiler(program).compile();
  if (!bytes)
    return nullptr;
  std::shared_ptr<machine_code const> made(new machine_code(*bytes));
  return made->memory_ != nullptr ? made : nullptr;
}

machine_code::machine_code(std::span<std::uint8_t const> bytes) : length_(bytes.size()) {
  void* const memory =
      ::mmap(nullptr, length_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED)
    return;
  std::ranges::copy(bytes, static_cast<std::uint8_t*>(memory));
  if (::mprotect(memory, length_, PROT_READ | PROT_EXEC) == 0)
    memory_ = memory;
  else
    ::munmap(memory, length_);
}

machine_code::~machine_code() {
  if (memory_ != nullptr)
    ::munmap(memory_, length_);
}

void machine_code::operator()(code_arguments const& arguments) const {
  reinterpret_cast<void (*)(code_arguments const*)>(memory_)(&arguments);
}

} // namespace life

#else

namespace life {

std::shared_ptr<machine_code const> machine_code::of(logic const&) { return nullptr; }
machine_code::~machine_code() = default;
void machine_code::operator()(code_arguments const&) const {}

} // namespace life

#endif
