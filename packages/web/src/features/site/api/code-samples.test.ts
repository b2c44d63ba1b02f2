/** The samples are run as they are, against a server that says what it got. A language that is not installed is compared by its text. */
import { execFile, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { SEND_ADDRESS, sendFields } from "./api-facts.ts";

const folder = join(import.meta.dirname, "../../../../public/downloads");
const samples = [
  { file: "send-sms.sh", program: "sh", needs: "curl" },
  { file: "send-sms.mjs", program: process.execPath, needs: process.execPath },
  { file: "send-sms.py", program: "python3", needs: "python3" },
  { file: "send-sms.php", program: "php", needs: "php" },
];

type Got = {
  line: string;
  headers: IncomingMessage["headers"];
  body: unknown;
};

async function runSample(program: string, file: string): Promise<Got[]> {
  const got: Got[] = [];
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    got.push({
      line: `${request.method} ${request.url}`,
      headers: request.headers,
      body: JSON.parse(await text(request)),
    });
    response.writeHead(200, { "content-type": "application/json" }).end(`{"message":"Message Sent"}`);
  };
  const server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const env = { PATH: process.env["PATH"], SMS_API_URL: `http://127.0.0.1:${port}`, SMS_API_KEY: "a-key" };
  try {
    await promisify(execFile)(program, [join(folder, file)], { env, timeout: 20_000 });
  } finally {
    server.closeAllConnections();
    server.close();
  }
  return got;
}

test.each(samples)("$file makes the documented call, once", async ({ file, program, needs }) => {
  const source = readFileSync(join(folder, file), "utf8");
  for (const part of [SEND_ADDRESS, "Bearer ", "dempotency-", ...sendFields.map(({ name }) => name)]) {
    expect(source.toLowerCase()).toContain(part.toLowerCase());
  }
  if (spawnSync(needs, ["--version"]).error !== undefined) return;
  const [call, ...others] = await runSample(program, file);
  expect(others).toEqual([]);
  expect(call).toMatchObject({
    line: `POST ${SEND_ADDRESS}`,
    headers: {
      authorization: "Bearer a-key",
      "content-type": "application/json",
      "idempotency-key": expect.stringMatching(/^[\x21-\x7e]+$/) as string,
    },
  });
  expect(Object.keys(call?.body as object).toSorted()).toEqual(sendFields.map(({ name }) => name).toSorted());
});
