# Owns a throw-away server: makes it, does what it is told on standard input, and removes it when that ends.
# The test program holds the other end of standard input, so this notices however the program ends, and nothing is left behind.
bin=$1
folder=$(mktemp -d "$2/lyceum.XXXXXX") || exit 1
password=$3
data=$folder/data
log=$folder/log

initialise() {
  printf '%s\n' "$password" >"$folder/password"
  "$bin/initdb" --pgdata="$data" --username=lyceum --pwfile="$folder/password" --auth-local=trust --auth-host=scram-sha-256 \
    --encoding=UTF8 --no-sync "$@" >>"$log" 2>&1
}
# An order of letters that is not that of their numbers finds statements that rely on the database's.
initialise --locale=C --locale-provider=icu --icu-locale=en-US || { rm -rf "$data"; initialise --locale=C; } || cat "$log" >&2
echo "$folder"

while read -r command port; do
  case $command in
    start) "$bin/pg_ctl" start --wait --silent --pgdata="$data" --log="$log" --options="-p $port" </dev/null >/dev/null 2>&1 ;;
    stop) "$bin/pg_ctl" stop --wait --silent --pgdata="$data" --mode=immediate </dev/null >/dev/null 2>&1 ;;
  esac
  echo "$?"
done

"$bin/pg_ctl" stop --wait --silent --pgdata="$data" --mode=immediate </dev/null >/dev/null 2>&1
rm -rf "$folder"
