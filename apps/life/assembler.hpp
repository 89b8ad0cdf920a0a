/// Instructions of x86-64 as bytes: those of a function that goes down rows of words, column by
/// column of vectors. Vector instructions are in avx2.hpp and avx512.hpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <vector>

namespace life {

/// What such a function gets. Distances are in bytes.
struct column_arguments {
  std::uint64_t const* before; ///< the word before the column in the row above the first one
  std::uint64_t const* here;   ///< the column's first word in that row
  std::uint64_t const* behind; ///< the word behind `here`
  std::uint64_t* to;           ///< of the first row, less two rows
  std::int64_t stride;         ///< from row to row
  std::int64_t end;            ///< stride (number of rows + 2)
};

/// General instructions, which use registers that a function need not preserve.
class assembler {
public:
  std::vector<std::uint8_t> bytes;

  /// Loads the arguments and begins with the row above the first one.
  void begin() {
    for (int const k : {0, 1, 2})
      load_argument(beside[k], k * sizeof(void*));
    load_argument(to, offsetof(column_arguments, to));
    load_argument(stride, offsetof(column_arguments, stride));
    load_argument(end_distance, offsetof(column_arguments, end));
    emit({0x31, 0xff}); // xor edi, edi
  }

  void move_down() { emit({0x4c, 0x01, 0xc7}); } // add rdi, r8

  /// Jumps behind the last row, where place_target() says later; returns what that needs.
  std::size_t jump_if_done() { return jump({0x4c, 0x39, 0xcf, 0x0f, 0x83}); } // cmp rdi, r9; jae

  /// Jumps to an instruction if there are more rows.
  void jump_if_more(std::size_t target) {
    set_distance(jump({0x4c, 0x39, 0xcf, 0x0f, 0x82}), target); // cmp rdi, r9; jb
  }

  /// Makes a jump lead to what comes next.
  void place_target(std::size_t of_jump) { set_distance(of_jump, bytes.size()); }

  void end() { emit({0xc5, 0xf8, 0x77, 0xc3}); } // vzeroupper; ret

protected:
  // Numbers of registers: of the words at the offsets -1, 0 and 1 and of those that are written, all
  // in the row above the first one; of the distance from there; of strides and of the end.
  static constexpr int beside[] = {0 /*rax*/, 1 /*rcx*/, 2 /*rdx*/};
  static constexpr int to = 6 /*rsi*/, distance = 7 /*rdi*/, stride = 8, end_distance = 9;

  void emit(std::initializer_list<int> list) {
    for (int const byte : list)
      bytes.push_back(static_cast<std::uint8_t>(byte));
  }

  /// The operand byte of an instruction on registers, and those of a word `distance` from a base.
  static int in_register(int field, int number) { return 0xc0 | (field & 7) << 3 | (number & 7); }
  void emit_address(int opcode, int field, int base) {
    emit({opcode, 0x04 | (field & 7) << 3, distance << 3 | base});
  }

private:
  /// Loads a register from the arguments, whose address rdi holds.
  void load_argument(int number, std::size_t offset) {
    emit({0x48 | number >> 3 << 2, 0x8b, 0x47 | (number & 7) << 3, static_cast<int>(offset)});
  }

  std::size_t jump(std::initializer_list<int> instruction) {
    emit(instruction);
    emit({0, 0, 0, 0});
    return bytes.size();
  }

  void set_distance(std::size_t behind_jump, std::size_t target) {
    auto const far = static_cast<std::uint32_t>(target - behind_jump);
    for (int byte = 0; byte < 4; ++byte)
      bytes[behind_jump - 4 + byte] = static_cast<std::uint8_t>(far >> 8 * byte & 255);
  }
};

} // namespace life
