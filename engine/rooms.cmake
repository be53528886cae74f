# Rooms and their doors.
#
# headlight_rooms(engine) makes a static library of every room of rooms.txt below engine/. A room's include path holds a tree with its own
# headers, and the trees of the rooms it may see: a file that includes a header of any other room does not compile. That is how the include
# arrows of the house are kept (tests/house_test.py checks them a second time, from the text).
# g++ 12 warns of uninitialized values inside its own AVX-512 header (GCC bug 105593) wherever Eigen is inlined, and of impossible sizes
# inside std::string (GCC bugs 105651 and 105329). clang's build keeps its own forms of these warnings.
set(HEADLIGHT_WARNINGS -Wall -Wextra -Wconversion -Wshadow -Wnon-virtual-dtor -Werror "$<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized;-Wno-uninitialized;-Wno-restrict;-Wno-stringop-overflow>"
    $<$<CXX_COMPILER_ID:Clang>:-Wthread-safety>) # what engine/core/guarded.h declares
set(HEADLIGHT_HARDENING $<$<CONFIG:Release>:-D_GLIBCXX_ASSERTIONS -fstack-protector-strong -fstack-clash-protection>)

add_library(headlight_options INTERFACE)
target_compile_options(headlight_options INTERFACE -pthread ${HEADLIGHT_HARDENING}) # -pthread everywhere, so that all can read one precompiled header
# Nothing is fused but what is written as fused, whatever processor is compiled for: a result's bits are the same on every machine.
target_compile_options(headlight_options INTERFACE -ffp-contract=off)
# One thread per product: sums then do not depend on the number of threads; the pool in engine/core/parallel.h splits the work.
# g++ collects garbage as soon as it holds 128 MB, which takes a tenth of the time of a file that needs 500 MB.
target_compile_options(headlight_options INTERFACE "$<$<CXX_COMPILER_ID:GNU>:SHELL:--param ggc-min-heapsize=500000>")
target_compile_definitions(headlight_options INTERFACE EIGEN_DONT_PARALLELIZE)
if(HEADLIGHT_SANITIZE)
  target_compile_options(headlight_options INTERFACE -fsanitize=${HEADLIGHT_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_link_options(headlight_options INTERFACE -fsanitize=${HEADLIGHT_SANITIZE})
endif()

# Read once for all rooms above engine/core: most of a compile is reading these. The clang preset compiles without them, and so finds a
# missing include.
set(HEADLIGHT_PRECOMPILED
    <Eigen/Core> <fmt/core.h> <nlohmann/json.hpp>
    <algorithm> <array> <atomic> <chrono> <cmath> <filesystem> <functional> <map> <memory> <mutex> <optional> <set> <span> <string> <thread>
    <unordered_map> <utility> <variant> <vector>)

# engine/formats/tensors -> headlight_formats_tensors; app/gui/frame.* -> headlight_gui_frame
function(headlight_room_target path result)
  string(REGEX REPLACE "^(engine|app)/" "" name ${path})
  string(REGEX REPLACE "\\.\\*$" "" name ${name})
  string(REPLACE "/" "_" name ${name})
  set(${result} headlight_${name} PARENT_SCOPE)
endfunction()

# Links each header into the room's tree, so that a subfolder, which is another room, is not seen with it.
function(headlight_room_tree tree headers)
  file(REMOVE_RECURSE ${tree})
  foreach(header IN LISTS headers)
    cmake_path(RELATIVE_PATH header BASE_DIRECTORY ${CMAKE_SOURCE_DIR} OUTPUT_VARIABLE name)
    cmake_path(GET name PARENT_PATH folder)
    file(MAKE_DIRECTORY ${tree}/${folder})
    file(CREATE_LINK ${header} ${tree}/${name} SYMBOLIC)
  endforeach()
endfunction()

# Files that are compiled for one instruction set each, chosen among at run time: engine/kernels/instruction_set.h.
set(HEADLIGHT_INSTRUCTIONS_avx512 -mavx512f -mavx512bw -mavx512vl -mavx2 -mfma -mf16c)
set(HEADLIGHT_INSTRUCTIONS_avx2 -mavx2 -mfma -mf16c)
set(HEADLIGHT_INSTRUCTIONS_portable)
function(headlight_instruction_sets sources)
  foreach(source IN LISTS sources)
    if(source MATCHES "/instructions_([a-z0-9]+)\\.cpp$")
      set_source_files_properties(${source} PROPERTIES COMPILE_OPTIONS "${HEADLIGHT_INSTRUCTIONS_${CMAKE_MATCH_1}}"
                                                       SKIP_PRECOMPILE_HEADERS ON SKIP_UNITY_BUILD_INCLUSION ON)
    endif()
  endforeach()
endfunction()

# Rooms whose work is done once for a click or a file, and ends before anybody waits for it: compiled with -O1, in two thirds of the time
# (the program 211 s of work instead of 352). What is done for every token, cell or pixel is in the others, with -O3. Checked with
# `headlight bench`: no line is slower.
set(HEADLIGHT_QUICK_TO_BUILD "^(app/.*|engine/(text/files|model/families|model/files|dumps|pipeline(/stages)?|figure/kinds|figure/files))$")
set(HEADLIGHT_QUICK_BUILD $<$<CONFIG:Release>:-O1>)

function(headlight_room path sees libraries)
  if(path MATCHES "\\.\\*$")
    string(REGEX REPLACE "\\*$" "" stem ${CMAKE_SOURCE_DIR}/${path})
    file(GLOB sources CONFIGURE_DEPENDS ${stem}cpp ${stem}h)
  else()
    file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/${path}/*.cpp ${CMAKE_SOURCE_DIR}/${path}/*.h)
  endif()
  headlight_room_target(${path} target)
  set(headers ${sources})
  list(FILTER headers INCLUDE REGEX "\\.h$")
  set(tree ${CMAKE_BINARY_DIR}/rooms/${target})
  headlight_room_tree(${tree} "${headers}")
  add_library(${target} STATIC ${sources})
  set_target_properties(${target} PROPERTIES LINKER_LANGUAGE CXX)
  target_include_directories(${target} PUBLIC ${tree})
  target_compile_options(${target} PRIVATE ${HEADLIGHT_WARNINGS})
  # All files of a room at once: most of a compile is reading Eigen and JSON, and writing out the same templates for every file (the command
  # line's three parts took 60 s, as one 36). Builds without this (sanitizers, clang) find a missing include.
  set_target_properties(${target} PROPERTIES UNITY_BUILD ${HEADLIGHT_UNITY} UNITY_BUILD_BATCH_SIZE 0)
  if(HEADLIGHT_UNITY)
    target_compile_options(${target} PRIVATE -Wno-subobject-linkage) # only headers are meant, and here every file looks like one
  endif()
  if(path MATCHES "${HEADLIGHT_QUICK_TO_BUILD}") # the headers are precompiled a second time: they keep the options that they were compiled with
    target_compile_options(${target} PRIVATE ${HEADLIGHT_QUICK_BUILD})
    if(path STREQUAL "engine/text/files")
      target_precompile_headers(${target} PRIVATE ${HEADLIGHT_PRECOMPILED})
    else()
      target_precompile_headers(${target} REUSE_FROM headlight_text_files)
    endif()
  elseif(path STREQUAL "engine/formats")
    target_precompile_headers(${target} PRIVATE ${HEADLIGHT_PRECOMPILED})
  elseif(NOT path STREQUAL "engine/core")
    target_precompile_headers(${target} REUSE_FROM headlight_formats)
  endif()
  headlight_instruction_sets("${sources}")
  set(seen)
  foreach(room IN LISTS sees)
    headlight_room_target(${room} name)
    list(APPEND seen ${name})
  endforeach()
  target_link_libraries(${target} PUBLIC headlight_options ${seen} ${libraries})
endfunction()

# The rooms of rooms.txt whose path matches `pattern`.
function(headlight_rooms pattern)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/engine/rooms.txt)
  file(STRINGS ${CMAKE_SOURCE_DIR}/engine/rooms.txt rows REGEX "^(engine|app)/")
  foreach(row IN LISTS rows)
    string(REPLACE "|" ";" columns "${row}")
    list(TRANSFORM columns STRIP)
    list(POP_FRONT columns path sees libraries)
    if(path MATCHES "${pattern}")
      string(REPLACE " " ";" sees "${sees}")
      string(REPLACE " " ";" libraries "${libraries}")
      headlight_room(${path} "${sees}" "${libraries}")
    endif()
  endforeach()
endfunction()
