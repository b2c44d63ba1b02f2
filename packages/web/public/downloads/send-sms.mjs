// Sends one SMS with Node.js 20 or newer. Set SMS_API_URL to the service's address and SMS_API_KEY to a key from your dashboard.
const { SMS_API_URL, SMS_API_KEY } = process.env;

const response = await fetch(`${SMS_API_URL}/api/v1/messages`, {
  method: "POST",
  headers: {
    authorization: `Bearer ${SMS_API_KEY}`,
    "content-type": "application/json",
    "idempotency-key": "order-1042-shipped",
  },
  body: JSON.stringify({
    senderName: "AdaStores",
    message: "Your order 1042 is on its way.",
    phoneNo: "2348031234567,2348057654321",
    code: "234",
  }),
});
const answer = await response.json();
process.stdout.write(`${response.status} ${JSON.stringify(answer)}\n`);
// 503 with "dnd": true means sent: some numbers take no bulk messages, and were skipped and not charged.
process.exitCode = response.ok || answer.dnd === true ? 0 : 1;
