// A program for a processor of which there are none any more: it has to end before main() begins, with
// a line that names what is lacking.
#include <cstdio>

int main() { std::puts("main has begun"); }
