# Starts one server and signals it, as the lines on the standard input say. When the JVM that writes them ends, however
# it ends, the input does too: then the server is ended and its directory removed.
# usage: sh watchdog.sh DIRECTORY END_SIGNAL COMMAND...
directory=$1 end_signal=$2
shift 2
pid=

# PostgreSQL has a process for each connection. They stay when their parent is killed.
children() { cat "/proc/$pid/task/$pid/children"; }

is_gone() {
  case $(cat "/proc/$1/stat") in
    '' | *') Z '*) return 0 ;;
    *) return 1 ;;
  esac
}

# All threads of a process, or it has ended.
stands_still() { ! cat "/proc/$1/task/"*/stat | grep -qv ') [TZX] [0-9]'; }

# stop PROCESS...: when kill returns, the signal is only sent. The processes get 10 seconds to take it.
stop() {
  kill -s STOP "$@"
  turns=0
  for process; do
    until stands_still "$process" || [ $turns -ge 1000 ]; do
      sleep 0.01
      turns=$((turns + 1))
    done
  done
}

# The parent first: while it moves, it may have more children.
pause() {
  stop "$pid"
  stop $(children)
}

resume() { kill -s CONT $(children) "$pid"; }

# Pausing first keeps the server from having more children than those that are killed.
kill_all() {
  pause
  all=$(children)
  kill -s KILL "$pid" $all
  for process in "$pid" $all; do
    until is_gone "$process"; do sleep 0.01; done
  done
}

# end SIGNAL: the server gets 20 seconds to obey.
end() {
  resume
  kill -s "$1" "$pid"
  turns=0
  until is_gone "$pid" || [ $turns -ge 2000 ]; do
    sleep 0.01
    turns=$((turns + 1))
  done
  is_gone "$pid" || kill_all
}

# end_with COMMAND...: afterwards there is no server.
end_with() {
  [ -n "$pid" ] || return 0
  "$@"
  wait "$pid"
  pid=
}

clean_up() {
  if [ "$end_signal" = KILL ]; then end_with kill_all; else end_with end "$end_signal"; fi
  rm -rf -- "$directory"
}

trap clean_up EXIT
trap 'exit 1' HUP INT TERM
exec 2>/dev/null

while read -r word signal; do
  case $word in
    start)
      "$@" </dev/null >>"$directory/server.log" 2>&1 &
      pid=$!
      ;;
    end) end_with end "$signal" ;;
    kill) end_with kill_all ;;
    pause) pause ;;
    resume) resume ;;
  esac
  echo "$pid"
done
