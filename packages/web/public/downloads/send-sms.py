# Sends one SMS with Python 3. Set SMS_API_URL to the service's address and SMS_API_KEY to a key from your dashboard.
import json
import os
import sys
import urllib.error
import urllib.request

request = urllib.request.Request(
    os.environ["SMS_API_URL"] + "/api/v1/messages",
    method="POST",
    headers={
        "Authorization": "Bearer " + os.environ["SMS_API_KEY"],
        "Content-Type": "application/json",
        "Idempotency-Key": "order-1042-shipped",
    },
    data=json.dumps(
        {
            "senderName": "AdaStores",
            "message": "Your order 1042 is on its way.",
            "phoneNo": "2348031234567,2348057654321",
            "code": "234",
        }
    ).encode(),
)
try:
    response = urllib.request.urlopen(request, timeout=30)
except urllib.error.HTTPError as refusal:
    response = refusal
answer = json.load(response)
print(response.status, json.dumps(answer))
# 503 with "dnd": true means sent: some numbers take no bulk messages, and were skipped and not charged.
sys.exit(0 if response.status == 200 or answer.get("dnd") is True else 1)
