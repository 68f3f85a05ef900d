#!/usr/bin/env bash
# Builds a restaurant from scratch, on the command line alone. The first unexpected answer ends it with
# exit code 1. "npm run guide" runs it. It needs a platform without data at SERVERY_URL, `servery`, `node`,
# and `curl` on the PATH, and for its first account the settings of the server (SERVERY_DATA_DIR or
# DATABASE_URL).
set -euo pipefail

: "${SERVERY_URL:?say where the platform is}"
BRAND=${SERVERY_BRAND:-Platform}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

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

step 'The first account, on the database itself: nobody can log in yet'
servery clients create --local --type back-office --name 'Operator' --scopes all --json >"$folder/operator"
SERVERY_CLIENT_ID=$(field .client.clientId <"$folder/operator")
SERVERY_CLIENT_SECRET=$(field .clientSecret <"$folder/operator")
export SERVERY_CLIENT_ID SERVERY_CLIENT_SECRET
servery whoami
expect 'the type of the account' "$(servery whoami --json | field .type)" BACK_OFFICE
expect 'how many restaurants there are' "$(servery restaurants list --json | field .length)" 0

step 'A management group, and a restaurant in it'
servery groups create --name 'Harbor Inns'
servery restaurants create --name 'The Pier' --group 'Harbor Inns' --time-zone Europe/Rome --currency EUR
PIER=$(servery restaurants show 'The Pier' --json | field .guid)
cat >"$folder/pier.yaml" <<'YAML'
general:
  locationName: Molo Vecchio
  closeoutHour: 5
urls:
  website: https://pier.example
location:
  address1: Via del Molo 1
  city: Genova
  zipCode: "16128"
  country: IT
YAML
servery restaurants edit 'The Pier' --file "$folder/pier.yaml" >"$folder/out"
expect 'the closeout hour' "$(servery restaurants show 'The Pier' --json | field .general.closeoutHour)" 5
expect_exit 3 servery restaurants edit 'The Pier' --set general.closeoutHour=77

step 'A menu in a file: plan, diff, apply, and apply again'
cat >"$folder/menu.yaml" <<'YAML'
format: servery.configuration/1
configuration:
  menus:
    - name: Dinner
      groups: [Salads, Pasta]
  menuGroups:
    - name: Salads
      items: [Caesar Salad]
    - name: Pasta
      items: [Trofie al Pesto, Lasagne]
  menuItems:
    - { name: Caesar Salad, plu: "101", calories: 420 }
    - { name: Trofie al Pesto, plu: "201", calories: 640 }
    - { name: Lasagne, plu: "202", calories: 710 }
YAML
servery config plan "$folder/menu.yaml" --restaurant 'The Pier'
expect_exit 5 servery config diff "$folder/menu.yaml" --restaurant 'The Pier'
servery config apply "$folder/menu.yaml" --restaurant 'The Pier' --note 'The first menu'
again=$(servery config apply "$folder/menu.yaml" --restaurant 'The Pier' --json)
expect 'what applying it again publishes' "$(field .publication <<<"$again")" null
expect_exit 0 servery config diff "$folder/menu.yaml" --restaurant 'The Pier'

step 'A file with a mistake is refused with its line, and nothing changes'
sed 's/Trofie al Pesto]/Trofie al Pesto, Tiramisu]/; s/, Lasagne\]/, Lasagna]/' "$folder/menu.yaml" >"$folder/wrong.yaml"
expect_exit 3 servery config apply "$folder/wrong.yaml" --restaurant 'The Pier'
printf 'a: 1\na: 2\n' >"$folder/twice.yaml"
expect_exit 2 servery config apply "$folder/twice.yaml" --restaurant 'The Pier'

step 'A change by hand: draft, preview, publish, and the history'
servery config edit menuItems 'Lasagne' --set calories=690 --restaurant 'The Pier'
servery config preview --restaurant 'The Pier'
servery config publish --restaurant 'The Pier' --note 'Less cheese'
servery config history --restaurant 'The Pier'
servery config export --restaurant 'The Pier' --names --out "$folder/export.yaml"
expect_exit 0 servery config diff "$folder/export.yaml" --restaurant 'The Pier'

step 'Out of Caesar Salad until tomorrow'
servery stock set 'Caesar Salad' out --until tomorrow --restaurant 'The Pier'
servery stock set plu:202 12 --restaurant 'The Pier'
servery stock ran-out --restaurant 'The Pier'

step 'A partner, its API account with a card key, and its connection'
servery partners create --name 'Quayside Courier' --description 'Brings dinner along the quay.'
servery clients create --type partner --partner 'Quayside Courier' --name 'Quayside live' \
  --scopes all --json >"$folder/partner"
PARTNER_ID=$(field .client.clientId <"$folder/partner")
PARTNER_SECRET=$(field .clientSecret <"$folder/partner")
servery keys issue "$PARTNER_ID" >"$folder/out"
servery connections connect 'Quayside Courier' --restaurant 'The Pier' --restaurant-ref PIER-1

step 'The partner reads it all back through the five interfaces'
as_partner() { SERVERY_CLIENT_ID=$PARTNER_ID SERVERY_CLIENT_SECRET=$PARTNER_SECRET "$@"; }
as_partner servery whoami
TOKEN=$(as_partner servery token)
get() {
  curl -sS --fail-with-body -H "Authorization: Bearer $TOKEN" \
    -H "$BRAND-Restaurant-External-ID: $PIER" "$SERVERY_URL$1"
}
get /partners/v1/restaurants >"$folder/out"
expect 'partners: the restaurant' "$(field '[0].restaurantName' <"$folder/out")" 'The Pier'
expect 'partners: its reference' "$(field '[0].externalRestaurantRef' <"$folder/out")" PIER-1
get "/restaurants/v1/restaurants/$PIER" >"$folder/out"
expect 'restaurants: the city' "$(field .location.city <"$folder/out")" Genova
expect 'restaurants: the closeout hour' "$(field .general.closeoutHour <"$folder/out")" 5
get /config/v2/menuItems >"$folder/out"
expect 'configuration: the items' "$(field .length <"$folder/out")" 3
expect 'configuration: what was published by hand' \
  "$(field '.find((one) => one.name === "Lasagne").calories' <"$folder/out")" 690
get /config/v2/menus >"$folder/out"
expect 'configuration: the menu' "$(field '[0].name' <"$folder/out")" Dinner
get /stock/v1/inventory >"$folder/out"
expect 'stock: what ran out' "$(field '.filter((one) => one.status === "OUT_OF_STOCK").length' <"$folder/out")" 1
expect 'stock: what is limited' "$(field '.find((one) => one.status === "QUANTITY").quantity' <"$folder/out")" 12
as_partner servery encrypt --card 4111111111111111 --amount 12.50 --tip 2 --restaurant "$PIER" \
  --origin-ip 192.0.32.10 --curl >"$folder/pay"
export TOKEN
bash "$folder/pay" >"$folder/out"
expect 'credit cards: the payment' "$(field .paymentState <"$folder/out")" AUTHORIZED
servery payments list --payment-state AUTHORIZED --restaurant 'The Pier'

step 'What a call would be refused for'
servery clients create --type partner --partner 'Quayside Courier' --name 'Quayside screen' \
  --scopes stock:read --json >"$folder/screen"
as_screen() {
  SERVERY_CLIENT_ID=$(field .client.clientId <"$folder/screen") \
    SERVERY_CLIENT_SECRET=$(field .clientSecret <"$folder/screen") "$@"
}
may() { as_screen servery whoami --operation "$1" --restaurant "$PIER"; }
expect_exit 0 may stock.list
expect_exit 3 may stock.update

step 'The end of the connection counts at once'
servery connections disconnect 'Quayside Courier' --restaurant 'The Pier' --reason 'The guide is over.'
status=$(curl -sS -o "$folder/out" -w '%{http_code}' -H "Authorization: Bearer $TOKEN" \
  -H "$BRAND-Restaurant-External-ID: $PIER" "$SERVERY_URL/stock/v1/inventory")
expect 'the status that the partner gets now' "$status" 403
servery connections timeline 'Quayside Courier' --restaurant 'The Pier'

step 'Who did all that, and what was asked'
servery audit list --limit 10
servery audit export --out "$folder/audit.ndjson"
servery audit verify --file "$folder/audit.ndjson"
servery requests list --status 403 --limit 3

printf '\nThe Pier is open.\n'
