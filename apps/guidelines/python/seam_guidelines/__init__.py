"""Campaigns of seam-guidelines: all but the measurement, which is a program in C++.

`command` reads the command line and runs a word; `campaign` and `folder` make the files of a campaign and
`launch` its runs; `results`, `samples` and `analysis` judge their times; `tables`, `pictures` and `page`
show the verdicts.
"""
