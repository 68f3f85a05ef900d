#!/usr/bin/env bash
# Gives a pull request a platform of its own, as CI would. The first unexpected answer ends it with exit
# code 1. "npm run guide" runs it. It needs a sandbox at SERVERY_URL, `servery`, `node`, and `curl` on the
# PATH, and for its first account the settings of the server (SERVERY_DATA_DIR or DATABASE_URL).
set -euo pipefail

: "${SERVERY_URL:?say where the platform is}"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
# The accounts of sandboxes that servery keeps here are removed with this script.
export XDG_CONFIG_HOME="$folder"

step() { printf '\n== %s\n' "$1"; }
# field EXPRESSION: a part of the JSON on standard input, for example .results[0].name
field() { node -p "const it = JSON.parse(require('fs').readFileSync(0, 'utf8')); it$1"; }
# expect WHAT ACTUAL EXPECTED
expect() {
  if [[ "$2" != "$3" ]]; then
    printf 'FAILED: %s is %s, not %s\n' "$1" "$2" "$3" >&2
    exit 1
  fi
  printf 'ok: %s is %s\n' "$1" "$3"
}
# expect_exit CODE COMMAND…: the command ends with that code; what it says is shown.
expect_exit() {
  local expected=$1 code=0
  shift
  "$@" >"$folder/out" 2>&1 || code=$?
  sed 's/^/  /' "$folder/out"
  expect "the exit code of $1 $2" "$code" "$expected"
}
# stock_of SANDBOX ITEM: its status there
stock_of() {
  servery stock list --limit 500 --sandbox "$1" --json |
    field ".find(({ name }) => name === '$2').status"
}

step 'The account of CI: it can only manage sandboxes'
servery clients create --local --type back-office --name CI \
  --scopes sandboxes:read,sandboxes:write --json >"$folder/ci"
SERVERY_CLIENT_ID=$(field .client.clientId <"$folder/ci")
SERVERY_CLIENT_SECRET=$(field .clientSecret <"$folder/ci")
export SERVERY_CLIENT_ID SERVERY_CLIENT_SECRET
expect_exit 3 servery groups list

step 'A platform for the pull request'
servery sandbox create pull-42 --ttl 2h --json >"$folder/sandbox.json"
BASE=$(field .baseUrl <"$folder/sandbox.json")
expect 'the name' "$(field .name <"$folder/sandbox.json")" pull-42
expect 'what it started as' "$(field .from.profile <"$folder/sandbox.json")" demo
servery sandbox list
expect_exit 3 servery sandbox create pull-42

step 'A partner logs in with the new secrets'
ID=$(field .demo.clients.partner.clientId <"$folder/sandbox.json")
SECRET=$(field .demo.clients.partner.clientSecret <"$folder/sandbox.json")
token() {
  curl -sS -u "$ID:$SECRET" -d grant_type=client_credentials "$1/oauth/token" | field "['$2']"
}
expect 'the type of the token' "$(token "$BASE" token_type)" Bearer
expect 'the same secret in the main environment' "$(token "$SERVERY_URL" error)" invalid_client

step 'Prepare, and take a snapshot'
ITEM='Apple Slices'
servery stock set "$ITEM" out --sandbox pull-42
servery clock freeze --sandbox pull-42
servery sandbox snapshot pull-42 prepared

step 'A test changes something, and the next one starts from the same state'
servery stock set "$ITEM" in --sandbox pull-42
expect 'the stock after the test' "$(stock_of pull-42 "$ITEM")" IN_STOCK
servery sandbox restore pull-42 prepared
expect 'the stock after the restore' "$(stock_of pull-42 "$ITEM")" OUT_OF_STOCK
expect 'the clock' "$(servery clock --sandbox pull-42 --json | field .mode)" FROZEN

step 'A copy for a test that runs at the same time'
servery sandbox create pull-42-b --from pull-42@prepared --ttl 30m
expect_exit 0 servery sandbox diff pull-42 pull-42-b
servery stock set "$ITEM" in --sandbox pull-42-b
expect 'the stock of the other one' "$(stock_of pull-42 "$ITEM")" OUT_OF_STOCK
expect_exit 5 servery sandbox diff pull-42 pull-42-b

step 'The pull request is merged'
servery sandbox drop pull-42
servery sandbox drop pull-42-b
expect_exit 2 servery sandbox show pull-42
expect 'the number of sandboxes' "$(servery sandbox list --json | field .length)" 0
