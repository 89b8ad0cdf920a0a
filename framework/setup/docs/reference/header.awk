# A public header as Doxygen reads it: the comment at its head is the file's, what a contract says of
# ranks, threads and costs are paragraphs of their own, and classes end before what is private.
/^ *private:$/ {
  end = $0
  sub(/private:/, "};", end)
  is_private = 1
}
is_private && $0 != end { next }
{ is_private = 0 }
FNR == 1 && /^\/\/\/ / { print "/// @file" }
/^ *\/\/\/ (Collective|Local|Threads|Cost|Source|Errors)[:. ]/ {
  comment = $0
  sub(/\/\/\/.*/, "///", comment)
  print comment
  sub(/(Collective|Threads|Cost|Source|Errors):/, "**&**")
}
# What a class makes its friend is described where it is declared; operators are its own.
/^ *friend .*operator/ { sub(/friend /, "") }
/^ *friend / { is_friend = 1 }
is_friend { is_friend = !/;$/; next }
{
  while (/@param +[A-Za-z_0-9,]+, /) # names of several parameters
    sub(/, /, ",")
  print
}
