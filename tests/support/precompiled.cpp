// Nothing but what seam_precompile reads for all tests.
