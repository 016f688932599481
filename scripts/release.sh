# Shared by scripts/reproducible and scripts/consumer, after toolchain.sh: what is published. Sourced, never run.

# published: the folders of the published modules, with commas between them.
published() {
  sed -n 's|.*<artifactId>lockstep-\(.*\)</artifactId>.*|\1|p' bom/pom.xml | paste -s -d, -
}

# build_published LOG ARGS...: packages or installs the published modules of the checkout in this directory, without tests.
build_published() {
  local log=$1
  shift
  # shellcheck disable=SC2046
  run_maven "$JDK_HOME" "$log" $(without_bug_finder) -pl "$(published)" -am -Dmaven.test.skip=true -Dlockstep.withoutServers=true "$@"
}
