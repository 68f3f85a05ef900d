# receiver.py: WEBHOOK_SECRETS=whsec_… PORT=4300 python3 receiver.py
import base64, hashlib, hmac, json, os, time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

if not os.environ.get("WEBHOOK_SECRETS") or not os.environ.get("PORT"):
    raise SystemExit("Set WEBHOOK_SECRETS and PORT.")
KEYS = [base64.b64decode(secret.removeprefix("whsec_")) for secret in os.environ["WEBHOOK_SECRETS"].split()]
seen = set()  # A real receiver keeps this in its database.


def is_signed(headers, body):
    message_id, timestamp = headers.get("webhook-id", ""), headers.get("webhook-timestamp", "")
    if not timestamp.isdigit() or abs(time.time() - int(timestamp)) > 300:
        return False
    signed = f"{message_id}.{timestamp}.".encode() + body
    own = ["v1," + base64.b64encode(hmac.digest(key, signed, hashlib.sha256)).decode() for key in KEYS]
    given = headers.get("webhook-signature", "").split()
    return any(hmac.compare_digest(one, other) for one in own for other in given)


class Receiver(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        body = self.rfile.read(int(self.headers["content-length"]))
        is_valid = is_signed(self.headers, body)
        self.send_response(204 if is_valid else 400)
        self.send_header("content-length", "0") if not is_valid else None
        self.end_headers()
        if not is_valid:
            return
        event = json.loads(body)
        if event["guid"] not in seen:
            seen.add(event["guid"])
            details = json.dumps(event["details"], ensure_ascii=False, separators=(",", ":"))
            print(event["eventType"], event["guid"], details, flush=True)

    def log_message(self, *_):
        pass


server = ThreadingHTTPServer(("127.0.0.1", int(os.environ["PORT"])), Receiver)
print("ready", flush=True)
server.serve_forever()
