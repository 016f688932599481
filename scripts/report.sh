# Shared by ./check and its test: reads the reports of the tests and Maven's log. Sourced, never run.

passed=0 failed=0 skipped=0 skips='' failures='' untested=''

unescape() { sed -e 's/&#10;/ /g' -e 's/&lt;/</g' -e 's/&gt;/>/g' -e 's/&quot;/"/g' -e "s/&apos;/'/g" -e 's/&amp;/\&/g'; }

# note KIND TEST REASON PLACE: remembers a test that did not pass.
note() {
  local why=$3
  why=${why#*TestAbortedException:}
  why=${why#"${why%%[! ]*}"}
  why=${why#Assumption failed: }
  case $1 in
    skipped) skips="$skips
  $2: ${why:-no reason given}" ;;
    *) failures="$failures
  $2${4:+ ($4)}: ${why:0:600}" ;;
  esac
}

# note_all LABEL FILE: the tests of one report that did not pass. A reason is an attribute, or text up to the stack trace; a place
# is the first line of a test in that.
note_all() {
  local line name='' kind='' why='' place='' begun=''
  local test='^ *<testcase name="([^"]*)" classname="([^"]*)"' outcome='^ *<(skipped|failure|error)[ >/]'
  local attribute=' message="([^"]*)"' text='<!\[CDATA\[(.*)$' more='^[^][:space:]<-]' at='^[[:space:]]+at .*\(([A-Za-z]*Test\.java:[0-9]+)\)'
  while IFS= read -r line; do
    if [[ $line =~ $test ]]; then
      [ -z "$kind" ] || note "$kind" "$1, $name" "$why" "$place"
      kind='' name="${BASH_REMATCH[2]}: ${BASH_REMATCH[1]}"
    elif [[ $line =~ $outcome ]]; then
      kind=${BASH_REMATCH[1]} why='' place='' begun=''
      if [[ $line =~ $attribute ]]; then
        why=${BASH_REMATCH[1]}
      elif [[ $line =~ $text ]]; then
        why=${BASH_REMATCH[1]} begun=yes
      fi
    elif [ -n "$begun" ] && [[ $line =~ $more ]]; then
      why="$why $line"
    else
      begun=''
      if [ -z "$place" ] && [[ $line =~ $at ]]; then place=${BASH_REMATCH[1]}; fi
    fi
  done <<END
$(grep -A60 -E '^ *<(testcase|skipped|failure|error)[ >/]' "$2")
END
  [ -z "$kind" ] || note "$kind" "$1, $name" "$why" "$place"
}

# count TARGET LABEL: adds up the reports in */TARGET/surefire-reports.
count() {
  local file tests errors skips_here fails
  local suite=' tests="([0-9]+)" errors="([0-9]+)" skipped="([0-9]+)" failures="([0-9]+)"'
  for file in */"$1"/surefire-reports/TEST-*.xml; do
    [ -f "$file" ] || continue
    [[ $(grep -m1 '<testsuite ' "$file") =~ $suite ]] || fail "cannot read the test report $file"
    tests=${BASH_REMATCH[1]} errors=${BASH_REMATCH[2]} skips_here=${BASH_REMATCH[3]} fails=${BASH_REMATCH[4]}
    skipped=$((skipped + skips_here))
    failed=$((failed + errors + fails))
    passed=$((passed + tests - errors - skips_here - fails))
    [ $((errors + skips_here + fails)) -eq 0 ] || note_all "$2" "$file"
  done
}

# note_untested LABEL LOG: the modules that Maven left out because one that they need had failed.
note_untested() {
  local name
  while IFS= read -r name; do
    [ -z "$name" ] || untested="$untested
  $1, $name"
  done <<END
$(sed -n 's/^\[INFO\] \(Lockstep.*[^ .]\) \.* *SKIPPED.*$/\1/p' "$2" 2>/dev/null)
END
}

# slowest LABEL TARGET: the ten test classes in */TARGET/surefire-reports that took longest. They ran side by side.
slowest() {
  local line suite=' name="([^"]*)" time="([0-9.,]+)"'
  say "Slowest test classes on $1, in seconds (several run side by side):"
  for file in */"$2"/surefire-reports/TEST-*.xml; do
    [ -f "$file" ] || continue
    line=$(grep -m1 '<testsuite ' "$file")
    [[ $line =~ $suite ]] && say "${BASH_REMATCH[2]//,/} ${BASH_REMATCH[1]}"
  done | sort -rn | head -n 10 | while read -r seconds name; do printf '  %7s  %s\n' "$seconds" "$name"; done
}

# report: the numbers, and every test and module that did not pass.
report() {
  say "$passed passed, $failed failed, $skipped skipped"
  [ -z "$failures" ] || say "FAILED:$failures" | unescape
  [ -z "$untested" ] || say "NOT TESTED, because a module that they need failed:$untested"
  [ -z "$skips" ] || say "SKIPPED:$skips" | unescape
}
