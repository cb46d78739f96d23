# The installed package: find_package(ringlab) gives ringlab::reference and its parts.
include(CMakePackageConfigHelpers)

set(package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/ringlab")
set(ringlab_has_mpi OFF)
if(TARGET ringlab_transport_mpi)
  set(ringlab_has_mpi ON)
endif()
configure_package_config_file("${PROJECT_SOURCE_DIR}/cmake/ringlabConfig.cmake.in"
  "${PROJECT_BINARY_DIR}/ringlabConfig.cmake" INSTALL_DESTINATION "${package_dir}")
write_basic_package_version_file("${PROJECT_BINARY_DIR}/ringlabConfigVersion.cmake"
  COMPATIBILITY SameMinorVersion)
install(EXPORT ringlabTargets NAMESPACE ringlab:: DESTINATION "${package_dir}")
install(FILES "${PROJECT_BINARY_DIR}/ringlabConfig.cmake"
  "${PROJECT_BINARY_DIR}/ringlabConfigVersion.cmake" DESTINATION "${package_dir}")
