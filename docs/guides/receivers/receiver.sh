#!/usr/bin/env bash
# receiver.sh: export WEBHOOK_SECRETS=whsec_…; socat TCP-LISTEN:4300,reuseaddr,fork EXEC:./receiver.sh
set -euo pipefail
export LC_ALL=C
body=$(mktemp)
trap 'rm -f "$body"' EXIT

id='' timestamp='' signatures='' length=0
IFS=$'\r' read -r _
while IFS= read -r line && line=${line%$'\r'} && [[ -n $line ]]; do
  name=$(tr '[:upper:]' '[:lower:]' <<<"${line%%:*}") value=${line#*: }
  case $name in
    webhook-id) id=$value ;;
    webhook-timestamp) timestamp=$value ;;
    webhook-signature) signatures=$value ;;
    content-length) length=$value ;;
  esac
done
head -c "$length" >"$body"

answer() { printf 'HTTP/1.1 %s\r\nconnection: close\r\ncontent-length: 0\r\n\r\n' "$1"; }

is_signed() {
  [[ $timestamp =~ ^[0-9]{1,12}$ ]] || return 1
  local age=$(($(date +%s) - 10#$timestamp)) secret key own
  ((age <= 300 && age >= -300)) || return 1
  for secret in $WEBHOOK_SECRETS; do
    key=$(base64 -d <<<"${secret#whsec_}" | od -An -v -tx1 | tr -d ' \n')
    own=$({ printf '%s.%s.' "$id" "$timestamp"; cat "$body"; } |
      openssl dgst -sha256 -mac HMAC -macopt "hexkey:$key" -binary | base64)
    [[ " $signatures " == *" v1,$own "* ]] && return 0
  done
  return 1
}

if is_signed; then
  answer '204 No Content'
  # Process the event here: it is in the file "$body", and its guid is $id.
  [[ -z ${WEBHOOK_FOLDER:-} ]] || cp -n "$body" "$WEBHOOK_FOLDER/$id.json"
else
  answer '400 Bad Request'
fi
