# What R says about the samples below: the probabilities of wilcox.test, one-sided, and quantiles of
# type 7. The output is statistics_reference.txt, which a test reads where R is not installed:
#
#     Rscript reference.R > statistics_reference.txt
#
# Lines: rank sum; values; values; p
#        quantile; values; part; result
set.seed(1)
text <- function(x) paste(sprintf("%.15g", x), collapse = " ")
result <- function(x) sprintf("%.17g", x)
say <- function(...) cat(paste(..., sep = "; "), "\n", sep = "")
p_of <- function(a, b)
  suppressWarnings(wilcox.test(a, b, alternative = "greater", correct = TRUE))$p.value

say_test <- function(a, b)
  if (length(unique(c(a, b))) > 1) say("rank sum", text(a), text(b), result(p_of(a, b)))

for (lengths in list(c(1, 1), c(1, 5), c(2, 2), c(3, 7), c(7, 7), c(10, 10), c(15, 15), c(30, 30),
                     c(49, 49), c(49, 20), c(50, 50), c(50, 10), c(60, 70)))
  for (shift in if (sum(lengths) < 60) c(0, 0.5, 3) else 0.4) {
    say_test(round(rnorm(lengths[1], shift), 4), round(rnorm(lengths[2]), 4))    # hardly any ties
    say_test(round(rnorm(lengths[1], shift)), round(rnorm(lengths[2])))          # many
    say_test(round(rnorm(lengths[1], shift), 1), round(rnorm(lengths[2]), 1))    # some
  }
say_test(11:20, 1:10)
say_test(1:10, 11:20)
for (length in c(1, 2, 3, 4, 5, 10, 49, 50)) {
  values <- round(rnorm(length), 4)
  for (part in c(0, 0.25, 0.5, 0.75, 1, 0.1))
    say("quantile", text(values), part, result(quantile(values, part, type = 7)))
}
