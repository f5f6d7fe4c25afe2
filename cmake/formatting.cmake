# The target `formatting`: fmt, linked dynamically, or, for the static build, compiled once into the program
# (FMT_SOURCE names the file that does it), or, where the installed version cannot be used that way, as headers only.
add_library(formatting INTERFACE)
set(FMT_SOURCE "")
if(NOT DWARFSWEEP_STATIC)
  target_link_libraries(formatting INTERFACE fmt::fmt)
  return()
endif()

get_target_property(FMT_INCLUDE_DIRS fmt::fmt-header-only INTERFACE_INCLUDE_DIRECTORIES)
try_compile(DWARFSWEEP_FMT_ONCE ${CMAKE_BINARY_DIR}/fmt_probe
            SOURCES ${CMAKE_CURRENT_LIST_DIR}/fmt_probe.cpp ${CMAKE_CURRENT_LIST_DIR}/fmt_once.cpp
            CMAKE_FLAGS "-DINCLUDE_DIRECTORIES=${FMT_INCLUDE_DIRS}"
            CXX_STANDARD 20 CXX_STANDARD_REQUIRED ON)
if(DWARFSWEEP_FMT_ONCE)
  set(FMT_SOURCE ${CMAKE_CURRENT_LIST_DIR}/fmt_once.cpp)
  target_include_directories(formatting SYSTEM INTERFACE ${FMT_INCLUDE_DIRS})
else()
  message(STATUS "fmt ${fmt_VERSION} is used as headers only: compiling takes longer")
  target_link_libraries(formatting INTERFACE fmt::fmt-header-only)
endif()
