"""Runs a word of seam-guidelines: python3 FOLDER PROGRAM LAUNCHERS WORD [OPTION...]

FOLDER is that of this file. PROGRAM is the measuring program, which starts this, and LAUNCHERS the names
of its MPI library's own mpiexec, with commas between them.
"""

from seam_guidelines.command import main

main()
