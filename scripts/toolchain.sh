# Shared by ./check and ./lockstep: finds the JDK and Maven, and runs Maven with progress.
# Sourced, never run. Works with the bash 3.2 of macOS.

say() { printf '%s\n' "$*"; }
fail() { printf 'error: %s\n' "$*" >&2; exit 1; }

# jdk_version HOME: its version, as "17.0.15"; nothing when there is no compiler in it.
jdk_version() {
  [ -x "$1/bin/javac" ] || return 0
  if [ -r "$1/release" ]; then
    sed -n 's/^JAVA_VERSION="\([0-9][^"]*\)".*/\1/p' "$1/release"
  else
    "$1/bin/javac" -version 2>&1 | sed -n 's/^javac \([0-9].*\)/\1/p'
  fi
}

# major VERSION: 17 for 17.0.15, 8 for 1.8.0_412, 0 for nothing.
major() {
  local v=${1#1.}
  v=${v%%[!0-9]*}
  say "${v:-0}"
}

jdk_major() { major "$(jdk_version "$1")"; }

# The JDK that the java on the PATH belongs to.
path_jdk() {
  command -v java >/dev/null 2>&1 || return 0
  java -XshowSettings:properties -version 2>&1 | sed -n 's/^ *java\.home = //p'
}

# find_jdk: sets JDK_HOME to a JDK of at least 17, JAVA_HOME first, then the PATH. JDK_SEEN says what was too old.
find_jdk() {
  local home
  JDK_HOME='' JDK_SEEN=''
  for home in "${JAVA_HOME:-}" "$(path_jdk)"; do
    [ -n "$home" ] || continue
    if [ "$(jdk_major "$home")" -ge 17 ]; then
      JDK_HOME=$home
      return 0
    fi
    JDK_SEEN="$JDK_SEEN
  looked at $home: $(if [ -x "$home/bin/javac" ]; then say "JDK $(jdk_version "$home")"; else say "no JDK (bin/javac is missing)"; fi)"
  done
  return 1
}

# find_maven: sets MVN to a Maven of at least 3.8, MVN_VERSION to its version.
find_maven() {
  local minor
  MVN_VERSION=''
  MVN=$(command -v mvn 2>/dev/null) || return 1
  MVN_VERSION=$(JAVA_HOME=$JDK_HOME "$MVN" -v 2>/dev/null | sed -n 's/.*Apache Maven \([0-9][0-9.]*\).*/\1/p')
  minor=${MVN_VERSION#*.}
  minor=${minor%%[!0-9]*}
  [ "$(major "${MVN_VERSION:-0}")" -gt 3 ] || { [ "$(major "${MVN_VERSION:-0}")" -eq 3 ] && [ "${minor:-0}" -ge 8 ]; }
}

how_to_get() {
  cat <<'END'
  Debian, Ubuntu:  apt-get install openjdk-17-jdk-headless maven
  macOS:           brew install openjdk@17 maven
  anywhere:        SDKMAN: sdk install java, sdk install maven
A JDK that is not on the PATH is found through JAVA_HOME.
END
}

may_install() { [ "$(id -u)" = 0 ] && [ -f /etc/debian_version ] && command -v apt-get >/dev/null 2>&1; }

# apt_install PACKAGE WHY
apt_install() {
  say "Installing the package $1: $2."
  DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$1" </dev/null >/dev/null \
    || fail "apt-get could not install $1. Install it by hand and run this again."
  hash -r
}

install_jdk() {
  local package=openjdk-17-jdk-headless
  apt-get update -qq </dev/null || say "apt-get update failed; trying with the package lists at hand."
  apt-cache show "$package" >/dev/null 2>&1 || package=default-jdk-headless
  apt_install "$package" "Lockstep needs a JDK of at least 17"
}

install_maven() {
  apt-get update -qq </dev/null || say "apt-get update failed; trying with the package lists at hand."
  apt_install maven "Lockstep is built with Maven"
}

# require_toolchain: ends the script with what is missing, unless it may be installed here. Sets JDK_HOME and MVN.
require_toolchain() {
  if ! find_jdk && may_install; then install_jdk; find_jdk; fi
  if [ -z "$JDK_HOME" ]; then
    say "Missing: a JDK, version 17 or newer.$JDK_SEEN" >&2
    how_to_get >&2
    exit 1
  fi
  if ! find_maven && [ -z "$MVN" ] && may_install; then install_maven; find_maven; fi
  if ! find_maven; then
    say "Missing: Maven, version 3.8 or newer.${MVN:+ Found $MVN ($MVN_VERSION).}" >&2
    how_to_get >&2
    exit 1
  fi
}

# has_library NAME: whether programs find the shared library.
has_library() { PATH=$PATH:/usr/sbin:/sbin ldconfig -p 2>/dev/null | grep -qE "^[[:space:]]*$1(t64)? .*x86-64"; }

# The Debian packages with shared libraries that the servers of the tests need and this machine lacks.
missing_server_packages() {
  local each package
  for each in libaio.so.1=libaio1 libnuma.so.1=libnuma1 libssl.so.3=libssl3; do
    has_library "${each%=*}" && continue
    package=${each#*=}
    if apt-cache show "${package}t64" >/dev/null 2>&1; then package=${package}t64; fi
    say "$package"
  done
}

# require_server_libraries: installs what the servers of the tests need where it may, else says how. They are for Linux x86-64.
require_server_libraries() {
  local package missing
  [ "$(uname -s) $(uname -m)" = "Linux x86_64" ] || return 0
  missing=$(missing_server_packages)
  [ -n "$missing" ] || return 0
  if may_install; then
    apt-get update -qq </dev/null || say "apt-get update failed; trying with the package lists at hand."
    for package in $(missing_server_packages); do
      (apt_install "$package" "the servers that the tests start need it") || say "Continuing: tests on those servers are skipped, and fail where CI is true."
    done
  else
    say "The servers that the tests start need shared libraries that are missing here: their tests are skipped, and fail where CI is true."
    say "  Debian, Ubuntu:  apt-get install" $missing
  fi
}

# require_chromium: installs the browser of the tests where it may, else says how.
require_chromium() {
  command -v chromium >/dev/null 2>&1 || command -v chromium-browser >/dev/null 2>&1 || install_chromium
}

install_chromium() {
  if may_install; then
    apt-get update -qq </dev/null || say "apt-get update failed; trying with the package lists at hand."
    (apt_install chromium "the tests in a browser need it") || say "Continuing: tests in a browser are skipped, and fail where CI is true."
  else
    say "There is no Chromium here: tests in a browser are skipped, and fail where CI is true."
    say "  Debian, Ubuntu:  apt-get install chromium"
  fi
}

# require_etcd: installs the etcd of the tests where it may, else says how; not where the tests have members to use.
require_etcd() {
  [ "$(uname -s) $(uname -m)" = "Linux x86_64" ] || return 0
  [ -z "${ETCD_ENDPOINTS:-}${ETCD_SERVER:-}" ] || return 0
  command -v etcd >/dev/null 2>&1 || install_etcd
}

install_etcd() {
  if may_install; then
    apt-get update -qq </dev/null || say "apt-get update failed; trying with the package lists at hand."
    (without_services apt_install etcd-server "the tests on etcd start it" && never_as_service etcd) || say "Continuing: tests on etcd are skipped, and fail where CI is true."
  else
    say "There is no etcd here: tests on etcd are skipped, and fail where CI is true."
    say "  Debian, Ubuntu:  apt-get install etcd-server"
  fi
}

# never_as_service NAME: the package also set up a service, which nothing here needs after the next boot either.
never_as_service() {
  (update-rc.d "$1" disable; deb-systemd-helper disable "$1.service") >/dev/null 2>&1
  return 0
}

# without_services COMMAND...: runs it while no package may start a service. Debian asks this file before it starts one.
without_services() {
  local policy=/usr/sbin/policy-rc.d made='' rc
  if [ ! -e "$policy" ]; then
    printf '#!/bin/sh\nexit 101\n' >"$policy" && chmod 755 "$policy" && made=yes
  fi
  ("$@")
  rc=$?
  [ -z "$made" ] || rm -f -- "$policy"
  return "$rc"
}

# Every directory where a JDK may be.
jdk_candidates() {
  local dir
  env | sed -n 's/^JAVA_HOME_[0-9][0-9]*_[A-Za-z0-9]*=//p'
  for dir in /usr/lib/jvm/* "$HOME"/.sdkman/candidates/java/* /Library/Java/JavaVirtualMachines/*/Contents/Home; do
    [ -d "$dir" ] && say "$dir"
  done
}

# newest_other_lts MAJOR: the newest JDK with long-term support on this machine whose version is not MAJOR.
newest_other_lts() {
  local home v best='' best_v=0
  while IFS= read -r home; do
    v=$(jdk_major "$home")
    if [ "$v" -ge 17 ] && [ $(((v - 17) % 4)) -eq 0 ] && [ "$v" -ne "$1" ] && [ "$v" -gt "$best_v" ]; then
      best=$home best_v=$v
    fi
  done <<END
$(jdk_candidates)
END
  [ -z "$best" ] || say "$best"
}

# quiet_flags HOME: newer JDKs warn about what Maven and JMH do inside.
quiet_flags() {
  [ "$(jdk_major "$1")" -lt 24 ] || say "--sun-misc-unsafe-memory-access=allow --enable-native-access=ALL-UNNAMED"
}

# without_bug_finder: Maven's arguments that compile without Error Prone, which takes three quarters of a compilation's time.
# javac ignores the option in its place; its own warnings still fail the build.
without_bug_finder() { say -Dlockstep.bugFinder=-XDplain -Dlockstep.bugFinder.tests=-XDplain; }

# Maven's output, cut to one line per module and test class, the errors, and the compiler's warnings.
compact() {
  local line text name running='' # the names of test classes, a line each: modules and forks run several at a time
  local module='Building (Lockstep.*[^ ]) +[0-9][^ ]* +(\[[0-9/]+\])|Reactor Summary'
  local start='^\[INFO\] Running (.*)$'
  local tests='Tests run: ([0-9]+), .*Time elapsed: ([0-9.,]+) s.* -- in (.*)$'
  local noise='^\[ERROR\] *(-> )?(\[Help 1\].*)?$|^\[ERROR\] +(To see the full|Re-run Maven|For more information|After correcting|mvn <args>|See dump files)'
  while IFS= read -r line; do
    if [[ $line =~ $module ]]; then
      if [ -n "${BASH_REMATCH[1]}" ]; then
        say "  ${BASH_REMATCH[2]} ${BASH_REMATCH[1]}"
      else
        while IFS= read -r name; do
          [ -z "$name" ] || say "        $name  <-- NEVER FINISHED"
        done <<<"$running"
        running=''
      fi
    elif [[ $line =~ $start ]]; then
      running="$running${BASH_REMATCH[1]}"$'\n'
    elif [[ $line =~ $tests ]]; then
      name=${BASH_REMATCH[3]%%[0-2][0-9]:[0-5][0-9]:[0-5][0-9].*} # another module's tests may log into the line
      text="${BASH_REMATCH[1]} run, ${BASH_REMATCH[2]} s, $name"
      case $line in *'<<< '*) text="$text  <-- FAILED" ;; esac
      say "        $text"
      running=${running/"$name"$'\n'/}
    elif [[ $line == '[ERROR]'* && ! $line =~ $noise ]]; then
      say "  ${line% -> \[Help 1\]}"
    elif [[ $line == '[WARNING]'*'.java:['* ]]; then
      say "  $line" # the compiler's: with -Werror each one fails the build
    fi
  done
}

# heartbeat LOG SHOWN: says every 20 seconds that Maven is still at work, unless something else was shown.
heartbeat() {
  local before=-1 now files
  while sleep 20 >/dev/null 2>&1 && kill -0 $$ 2>/dev/null; do
    now=$(wc -c <"$2" 2>/dev/null || echo 0)
    if [ "$now" = "$before" ]; then
      files=$(grep -c '^\[INFO\] Downloaded from' "$1" 2>/dev/null)
      say "        ... still working, $((SECONDS - STARTED)) s$(if [ "${files:-0}" -gt 0 ]; then say ", $files files downloaded"; fi)"
    fi
    before=$now
  done
}

# What a script does at its end, however it comes; scripts may define their own.
at_exit() { :; }

# run_maven HOME LOG ARGS...: runs Maven on that JDK, everything to LOG, progress to the screen. Answers Maven's exit code.
run_maven() {
  local home=$1 log=$2 shown=$2.shown rc
  shift 2
  mkdir -p "$(dirname "$log")"
  : >"$log"
  : >"$shown"
  STARTED=$SECONDS
  heartbeat "$log" "$shown" &
  beat=$!
  trap 'kill "$beat" 2>/dev/null; at_exit' EXIT
  trap 'exit 130' INT TERM
  JAVA_HOME=$home MAVEN_OPTS="${MAVEN_OPTS:-} $(quiet_flags "$home")" "$MVN" -B "$@" </dev/null 2>&1 \
    | tee "$log" | compact | tee "$shown"
  rc=${PIPESTATUS[0]}
  kill "$beat" 2>/dev/null
  wait "$beat" 2>/dev/null
  trap at_exit EXIT
  trap - INT TERM
  rm -f "$shown"
  return "$rc"
}

# copy_repository DIRECTORY: a copy of the local Maven repository without Lockstep's own artifacts, as links where the file system
# can. Maven writes into the files that say where a jar came from, so the copy has none of them.
copy_repository() {
  local home=$HOME/.m2/repository
  [ -d "$home" ] || { mkdir -p "$1"; return; }
  cp -al "$home" "$1" 2>/dev/null || { rm -rf -- "$1"; cp -a "$home" "$1"; } || return 1
  rm -rf -- "$1/dev/lockstep"
  find "$1" \( -name _remote.repositories -o -name resolver-status.properties -o -name '*.lastUpdated' \) -delete
}

# say_platform: what this machine can't test, and how to test it all the same.
say_platform() {
  [ "$(uname -s) $(uname -m)" != "Linux x86_64" ] || return 0
  cat <<END
This is $(uname -s) $(uname -m); the tests start database and Redis servers on Linux x86-64 only. Set MYSQL_DSN, MARIADB_DSN,
POSTGRES_DSN (user:password@tcp(host:port)/database or a JDBC URL) and REDIS_URL (redis://host:port) to use running servers.
Skipped all the same: tests that stop, kill or configure a server or need a Redis Cluster, and without Chromium those in a browser.
Each skipped test is listed at the end. Where CI is set to true, it fails instead.
END
}

# say_if_first: a first build takes longer, and says why.
say_if_first() {
  [ -d core/target ] || say "First build here: Maven downloads what is missing of its plugins and the libraries (about 110 MB; for benchmarks and tests, on databases and in a browser, 950 MB more)."
}
