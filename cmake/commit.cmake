# Writes the commit of the sources into a header, which is touched only when it changed. -DSOURCE=... -DHEADER=...
cmake_minimum_required(VERSION 3.22)
execute_process(COMMAND git describe --always --dirty --abbrev=8 --exclude=* WORKING_DIRECTORY ${SOURCE}
                OUTPUT_VARIABLE COMMIT OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
if(NOT COMMIT)
  set(COMMIT "unknown")
endif()
file(CONFIGURE OUTPUT ${HEADER} CONTENT "#define OPSCAPE_COMMIT \"@COMMIT@\"\n" @ONLY)
