# Writes a header with the git revision, "-dirty" where the tree differs from it. Called with ROOT, OUTPUT.
execute_process(COMMAND git -C ${ROOT} describe --always --dirty --abbrev=12 --exclude=*
                OUTPUT_VARIABLE revision OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
if(NOT revision)
  set(revision "unknown")
endif()
set(text "#define DWARFSWEEP_REVISION \"${revision}\"\n")
set(old "")
if(EXISTS ${OUTPUT})
  file(READ ${OUTPUT} old)
endif()
if(NOT text STREQUAL old)
  file(WRITE ${OUTPUT} "${text}")
endif()
