# Writes a header with the version and the git revision, "-dirty" if the tree differs from it. Called with ROOT, VERSION,
# OUTPUT.
# A source archive unpacked inside somebody's repository has no revision, hence the ceiling; git would not tell a tree of
# another owner (built as root, cloned by a user) without being told that it is safe.
get_filename_component(parent ${ROOT} DIRECTORY)
set(ENV{GIT_CEILING_DIRECTORIES} ${parent})
execute_process(COMMAND git -c safe.directory=${ROOT} -C ${ROOT} describe --always --dirty --abbrev=12 --exclude=*
                OUTPUT_VARIABLE revision OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
if(NOT revision)
  set(revision "unknown")
endif()
set(text "#define DWARFSWEEP_VERSION \"${VERSION}\"\n#define DWARFSWEEP_REVISION \"${revision}\"\n")
set(old "")
if(EXISTS ${OUTPUT})
  file(READ ${OUTPUT} old)
endif()
if(NOT text STREQUAL old)
  file(WRITE ${OUTPUT} "${text}")
endif()
