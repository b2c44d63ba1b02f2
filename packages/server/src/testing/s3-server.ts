/**
 * A small store that speaks enough S3 to be tested against, written from Amazon's description of Signature Version 4 and
 * not from the client's code: it answers only what is signed with its own secret, over exactly the bytes that arrived.
 */
import { createHash, createHmac } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export type StoredObject = { bytes: Buffer; contentType: string | undefined; headerNames: string[] };

export type S3Server = {
  /** For `FILE_STORE`. */
  address: string;
  objects: Map<string, StoredObject>;
  /** Statuses of all answers, in order. */
  statuses: number[];
  /** What the next requests meet, one each; then the server is itself again. `hang` never answers. */
  faults: (number | "hang")[];
  close: () => Promise<void>;
};

const ACCESS_KEY = "TESTKEY";
const SECRET_KEY = "test/secret+with@signs";
const REGION = "eu-test-1";

/** Listens on loopback until it is closed. */
export async function startS3Server(): Promise<S3Server> {
  const objects = new Map<string, StoredObject>();
  const statuses: number[] = [];
  const faults: (number | "hang")[] = [];
  const meet = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await readAll(request);
    const fault = faults.shift();
    if (fault === "hang") return;
    answer(response, fault === undefined ? serve(objects, request, body) : { status: fault });
    statuses.push(response.statusCode);
  };
  const server = createServer((request, response) => {
    void meet(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const credentials = `${ACCESS_KEY}:${encodeURIComponent(SECRET_KEY)}`;
  return {
    address: `s3://${credentials}@127.0.0.1:${port}/receipts/live?region=${REGION}&tls=off`,
    objects,
    statuses,
    faults,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

type Answer = { status: number; body?: Buffer | string; contentType?: string | undefined };

function serve(objects: Map<string, StoredObject>, request: IncomingMessage, body: Buffer): Answer {
  const refusal = findSignatureFault(request, body);
  if (refusal !== undefined) return refuse(403, "SignatureDoesNotMatch", refusal);
  const path = decodeURIComponent((request.url ?? "").split("?")[0] ?? "");
  if (request.method === "PUT") {
    objects.set(path, {
      bytes: body,
      contentType: request.headers["content-type"],
      headerNames: Object.keys(request.headers),
    });
    return { status: 200 };
  }
  if (request.method === "DELETE") {
    objects.delete(path);
    return { status: 204 };
  }
  const found = objects.get(path);
  if (request.method !== "GET" || found === undefined)
    return refuse(404, "NoSuchKey", "The specified key does not exist.");
  return { status: 200, body: found.bytes, contentType: found.contentType };
}

function refuse(status: number, code: string, message: string): Answer {
  const body = `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${code}</Code><Message>${message}</Message></Error>`;
  return { status, body, contentType: "application/xml" };
}

function answer(response: ServerResponse, { status, body = "", contentType }: Answer): void {
  response.writeHead(status, {
    ...(contentType !== undefined && { "content-type": contentType }),
    "content-length": Buffer.byteLength(body),
  });
  response.end(body);
}

async function readAll(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

const AUTHORIZATION = /^AWS4-HMAC-SHA256 Credential=([^,\s]+), ?SignedHeaders=([^,\s]+), ?Signature=([0-9a-f]{64})$/;

/** @returns why the request is not signed by whoever knows the secret, or undefined when it is. */
function findSignatureFault(request: IncomingMessage, body: Buffer): string | undefined {
  const [, credential = "", signedHeaders = "", signature = ""] =
    AUTHORIZATION.exec(request.headers.authorization ?? "") ?? [];
  const time = header(request, "x-amz-date");
  const scope = `${time.slice(0, 8)}/${REGION}/s3/aws4_request`;
  if (credential !== `${ACCESS_KEY}/${scope}`) return "another key, day or region";
  const names = signedHeaders.split(";");
  if (!["host", "x-amz-content-sha256", "x-amz-date"].every((name) => names.includes(name)))
    return "a header is not signed";
  const bodyHash = sha256(body);
  if (header(request, "x-amz-content-sha256") !== bodyHash) return "other bytes were signed than arrived";
  const [path = "", query = ""] = (request.url ?? "").split("?");
  const canonical = [
    request.method,
    path,
    query.split("&").filter(Boolean).toSorted().join("&"),
    ...names.map((name) => `${name}:${header(request, name).trim().replaceAll(/ +/g, " ")}`),
    "",
    signedHeaders,
    bodyHash,
  ].join("\n");
  const toSign = ["AWS4-HMAC-SHA256", time, scope, sha256(Buffer.from(canonical))].join("\n");
  const key = [time.slice(0, 8), REGION, "s3", "aws4_request"].reduce<Buffer | string>(
    (parent, part) => hmac(parent, part),
    `AWS4${SECRET_KEY}`,
  );
  return hmac(key, toSign).toString("hex") === signature ? undefined : "the signature is not ours";
}

function header(request: IncomingMessage, name: string): string {
  const value = request.headers[name];
  return Array.isArray(value) ? value.join(",") : (value ?? "");
}

function sha256(bytes: Buffer): string {
  return createHash("sha256").update(bytes).digest("hex");
}

function hmac(key: Buffer | string, text: string): Buffer {
  return createHmac("sha256", key).update(text).digest();
}
