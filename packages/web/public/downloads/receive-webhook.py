# Receives webhooks with Python 3. Set WEBHOOK_SECRET to the webhook's secret and PORT to where to listen.
import base64
import hashlib
import hmac
import json
import os
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

KEY = base64.b64decode(os.environ["WEBHOOK_SECRET"].removeprefix("whsec_"))


def is_signed(headers, body):
    # The body is signed as it came: check it before any parsing.
    message_id, timestamp = headers.get("webhook-id", ""), headers.get("webhook-timestamp", "")
    if not timestamp.isdigit() or abs(time.time() - int(timestamp)) > 300:
        return False
    signed = f"{message_id}.{timestamp}.".encode() + body
    expected = "v1," + base64.b64encode(hmac.new(KEY, signed, hashlib.sha256).digest()).decode()
    # While a secret is rotated there are two signatures, separated by a space.
    given = headers.get("webhook-signature", "").split(" ")
    return any(hmac.compare_digest(expected.encode(), one.encode()) for one in given)


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("content-length", 0)))
        if not is_signed(self.headers, body):
            return self.send_error(400, "The signature is wrong")
        event = json.loads(body)
        # Keep webhook-id: an event that arrives again has the same.
        print(self.headers["webhook-id"], event["type"], json.dumps(event["data"]), flush=True)
        self.send_response(204)
        self.end_headers()


ThreadingHTTPServer(("127.0.0.1", int(os.environ.get("PORT", "8081"))), Receiver).serve_forever()
