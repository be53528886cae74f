# Rooms and their doors.
#
# headlight_room(NAME core PATH engine/core NEEDS … LINKS …) makes a static library of all .cpp files in PATH. Its include path holds a
# tree with that room alone, and the trees of the rooms it NEEDS: a file that includes a header of any other room does not compile.
# That is how the include arrows of the house are kept (tests/house_test.py checks them a second time, from the text).
# g++ 12 warns of uninitialised values inside its own AVX-512 header (GCC bug 105593) wherever Eigen is inlined.
set(HEADLIGHT_WARNINGS -Wall -Wextra -Wconversion -Wshadow -Wnon-virtual-dtor -Werror $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>)
set(HEADLIGHT_HARDENING $<$<CONFIG:Release>:-D_GLIBCXX_ASSERTIONS -fstack-protector-strong -fstack-clash-protection>)

add_library(headlight_options INTERFACE)
target_compile_options(headlight_options INTERFACE ${HEADLIGHT_HARDENING})
# One thread per product: sums then do not depend on the number of threads; the pool in engine/core/parallel.h splits the work.
target_compile_definitions(headlight_options INTERFACE EIGEN_DONT_PARALLELIZE)
if(HEADLIGHT_NATIVE)
  target_compile_options(headlight_options INTERFACE $<$<CONFIG:Release>:-march=native>)
endif()
if(HEADLIGHT_SANITIZE)
  target_compile_options(headlight_options INTERFACE -fsanitize=${HEADLIGHT_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_link_options(headlight_options INTERFACE -fsanitize=${HEADLIGHT_SANITIZE})
endif()

function(headlight_room)
  cmake_parse_arguments(ROOM "" "NAME;PATH" "NEEDS;LINKS;FILES" ${ARGN})
  set(source ${CMAKE_SOURCE_DIR}/${ROOM_PATH})
  set(tree ${CMAKE_BINARY_DIR}/rooms/${ROOM_NAME})
  if(ROOM_FILES) # a room of single files, such as engine/pipeline.h
    set(sources)
    foreach(file IN LISTS ROOM_FILES)
      if(NOT EXISTS ${CMAKE_SOURCE_DIR}/${file})
        continue()
      endif()
      cmake_path(GET file PARENT_PATH folder)
      file(MAKE_DIRECTORY ${tree}/${folder})
      file(CREATE_LINK ${CMAKE_SOURCE_DIR}/${file} ${tree}/${file} SYMBOLIC)
      list(APPEND sources ${CMAKE_SOURCE_DIR}/${file})
    endforeach()
  else()
    cmake_path(GET ROOM_PATH PARENT_PATH folder)
    file(MAKE_DIRECTORY ${tree}/${folder})
    file(CREATE_LINK ${source} ${tree}/${ROOM_PATH} SYMBOLIC)
    file(GLOB sources CONFIGURE_DEPENDS ${source}/*.cpp ${source}/*.h)
  endif()
  set(target headlight_${ROOM_NAME})
  add_library(${target} STATIC ${sources})
  set_target_properties(${target} PROPERTIES LINKER_LANGUAGE CXX)
  target_include_directories(${target} PUBLIC ${tree})
  target_compile_options(${target} PRIVATE ${HEADLIGHT_WARNINGS})
  # Several files at once: most of a compile is reading Eigen and JSON. Builds without this (sanitizers, clang) find a missing include.
  set_target_properties(${target} PROPERTIES UNITY_BUILD ${HEADLIGHT_UNITY} UNITY_BUILD_BATCH_SIZE 5)
  if(HEADLIGHT_UNITY)
    target_compile_options(${target} PRIVATE -Wno-subobject-linkage) # only headers are meant, and here every file looks like one
  endif()
  list(TRANSFORM ROOM_NEEDS PREPEND headlight_)
  target_link_libraries(${target} PUBLIC headlight_options ${ROOM_NEEDS} ${ROOM_LINKS})
endfunction()
