#!/usr/bin/env bash
# A real MediaWiki on 127.0.0.1, loaded with a dump: for tests, and to try `slant wiki crawl` on.
#
#   tests/wikis/mediawiki.sh FOLDER DUMP.xml[.bz2] [PORT]
#
# FOLDER takes its database and settings; it must be empty, or of an earlier call of this script,
# whose wiki is then started as it was. When the wiki answers, its address is printed as one line.
# It serves until this process is ended (Ctrl-C or SIGTERM). PORT: 8765 if left out.
# Variables: MEDIAWIKI, where the package lies, else /usr/share/mediawiki; PRIVATE=1, a wiki that
# only members may read.
# Exit code 3: PHP or MediaWiki is not installed. On Debian:
#   apt-get install --no-install-recommends mediawiki php-cli php-sqlite3 php-mbstring php-xml php-intl php-apcu
set -euo pipefail

folder=$1 dump=$2 port=${3:-8765}
wiki=${MEDIAWIKI:-/usr/share/mediawiki}
if ! command -v php >/dev/null || [ ! -f "$wiki/maintenance/install.php" ]; then
  echo "PHP or MediaWiki (in $wiki) is not installed" >&2
  exit 3
fi

mkdir -p "$folder"
folder=$(cd "$folder" && pwd)
settings=$folder/LocalSettings.php
address=http://127.0.0.1:$port
script() {
  if ! php "$wiki/maintenance/$1" "${@:2}" >>"$folder/log" 2>&1; then
    tail -n 20 "$folder/log" >&2
    exit 1
  fi
}

if [ ! -f "$folder/loaded" ]; then
  mkdir -p "$folder/data"
  script install.php --dbtype sqlite --dbpath "$folder/data" --dbname wiki --server "$address" \
    --scriptpath "" --confpath "$folder" --pass "a-long-password-$RANDOM" "Small Wiki" Admin
  cat >>"$settings" <<'PHP'
wfLoadExtension( 'Cite' );
wfLoadExtension( 'ParserFunctions' );
$wgServer = getenv( 'WIKI_ADDRESS' ) ?: $wgServer;
$wgRightsText = 'Creative Commons Attribution-ShareAlike';
$wgRightsUrl = 'https://creativecommons.org/licenses/by-sa/4.0/';
$wgArticleCountMethod = 'any';
$wgJobRunRate = 0;
$wgShowExceptionDetails = true;
$wgCacheDirectory = __DIR__ . '/cache';
if ( getenv( 'PRIVATE' ) ) {
	$wgGroupPermissions['*']['read'] = false;
}
PHP
fi
export MW_CONFIG_FILE=$settings WIKI_ADDRESS=$address
if [ ! -f "$folder/loaded" ]; then
  case $dump in
    *.bz2) python3 -c 'import bz2, shutil, sys; shutil.copyfileobj(bz2.open(sys.argv[1]), sys.stdout.buffer)' "$dump" >"$folder/dump.xml" ;;
    *) cp "$dump" "$folder/dump.xml" ;;
  esac
  script importDump.php --no-updates --no-local-users "$folder/dump.xml"
  script rebuildrecentchanges.php
  script initSiteStats.php --update
  rm "$folder/dump.xml"
  touch "$folder/loaded"
fi

php -S "127.0.0.1:$port" -t "$wiki" >>"$folder/log" 2>&1 &
server=$!
trap 'kill "$server" 2>/dev/null; wait "$server" 2>/dev/null || true' EXIT
trap 'exit 0' INT TERM
for _ in $(seq 300); do
  if php -r "exit(@fsockopen('127.0.0.1', $port) ? 0 : 1);"; then
    echo "$address"
    wait "$server"
    exit
  fi
  kill -0 "$server"
  sleep 0.1
done
echo "the server does not answer; see $folder/log" >&2
exit 1
