# Cross compiling for AArch64 with Debian's compiler. AARCH64_ROOT, in the environment, is a folder with the libraries and
# headers of an arm64 Debian; tests run under qemu-user. tests/platforms/aarch64.sh does it all.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_CXX_COMPILER aarch64-linux-gnu-g++)
set(CMAKE_LIBRARY_ARCHITECTURE aarch64-linux-gnu)
set(AARCH64_ROOT $ENV{AARCH64_ROOT})
set(CMAKE_FIND_ROOT_PATH ${AARCH64_ROOT})
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
set(CMAKE_EXE_LINKER_FLAGS_INIT -Wl,-rpath-link,${AARCH64_ROOT}/usr/lib/aarch64-linux-gnu)
set(CMAKE_CROSSCOMPILING_EMULATOR qemu-aarch64 -L ${AARCH64_ROOT})
