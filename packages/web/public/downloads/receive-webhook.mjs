// Receives webhooks with Node.js 20 or newer. Set WEBHOOK_SECRET to the webhook's secret and PORT to where to listen.
import { createHmac, timingSafeEqual } from "node:crypto";
import { createServer } from "node:http";

const { WEBHOOK_SECRET = "", PORT = "8081" } = process.env;
const key = Buffer.from(WEBHOOK_SECRET.replace(/^whsec_/, ""), "base64");

// The body is signed as it came: check it before any parsing.
function isSigned(headers, body) {
  const id = headers["webhook-id"] ?? "";
  const timestamp = headers["webhook-timestamp"] ?? "";
  if (!/^\d+$/.test(timestamp) || Math.abs(Date.now() / 1000 - Number(timestamp)) > 300) return false;
  const expected = createHmac("sha256", key).update(`${id}.${timestamp}.${body}`).digest();
  // While a secret is rotated there are two signatures, separated by a space.
  return (headers["webhook-signature"] ?? "").split(" ").some((signature) => {
    const given = Buffer.from(signature.replace(/^v1,/, ""), "base64");
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
}

createServer((request, response) => {
  const parts = [];
  request.on("data", (part) => parts.push(part));
  request.on("end", () => {
    const body = Buffer.concat(parts).toString();
    if (isSigned(request.headers, body)) {
      const { type, data } = JSON.parse(body);
      // Keep the id: an event that arrives again has the same.
      const id = String(request.headers["webhook-id"]);
      process.stdout.write(`${id} ${type} ${JSON.stringify(data)}\n`);
      response.writeHead(204).end();
    } else {
      response.writeHead(400).end("The signature is wrong");
    }
  });
}).listen(Number(PORT));
