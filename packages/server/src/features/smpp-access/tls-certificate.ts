/**
 * The certificate of the SMPP server: the operator's own, or one that is made at the first start, signed by itself. Node makes keys and signatures but no
 * certificates, so the few structures of X.509 that one needs (RFC 5280, section 4.1) are written here.
 */
import { createPublicKey, createSign, generateKeyPairSync, randomBytes } from "node:crypto";
import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { TlsOptions } from "node:tls";
import type { Logger } from "pino";
import type { Config } from "../../base/config.ts";

const VALID_YEARS = 10;
/** Clients whose clock is behind take it as well. */
const BACKDATED_MS = 24 * 3_600_000;

/** @throws Error in words for the operator when only one of the two files is there. */
export async function ensureSmppCertificate(
  { dataDir, smppListen }: Pick<Config, "dataDir" | "smppListen">,
  log: Logger,
): Promise<TlsOptions> {
  const folder = join(dataDir, "smpp");
  const [certPath, keyPath] = [join(folder, "tls.crt"), join(folder, "tls.key")];
  const [cert, key] = [await findFile(certPath), await findFile(keyPath)];
  if ((cert === undefined) !== (key === undefined))
    throw new Error(`SMPP_LISTEN asks for TLS, and only one of ${certPath} and ${keyPath} is there`);
  const pair =
    cert !== undefined && key !== undefined ? { cert, key } : makeCertificate(smppListen?.host ?? "localhost");
  if (cert === undefined) {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await writeWhole(keyPath, pair.key);
    await writeWhole(certPath, pair.cert);
    log.warn({ certPath }, "made a certificate for SMPP, signed by itself; put your own there");
  }
  return { cert: pair.cert, key: pair.key, minVersion: "TLSv1.2" };
}

async function findFile(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

/** There whole, or not at all. */
async function writeWhole(path: string, text: string): Promise<void> {
  await writeFile(`${path}.new`, text, { mode: 0o600, flush: true });
  await rename(`${path}.new`, path);
}

/** @param host the name or address that stands in it, beside localhost. */
export function makeCertificate(host: string): { cert: string; key: string } {
  const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const publicKey = createPublicKey(privateKey).export({ type: "spki", format: "der" });
  const name = sequence(der(0x31, sequence(objectId(2, 5, 4, 3), der(0x0c, Buffer.from(host.slice(0, 64))))));
  const algorithm = sequence(objectId(1, 2, 840, 10_045, 4, 3, 2)); // ecdsa-with-SHA256
  const now = Date.now();
  const end = new Date(now);
  end.setUTCFullYear(end.getUTCFullYear() + VALID_YEARS);
  const alternativeNames = sequence(...[...new Set([host, "localhost"])].map(alternativeName));
  const body = sequence(
    der(0xa0, integer(Buffer.from([2]))), // version 3
    integer(Buffer.concat([Buffer.from([1]), randomBytes(15)])),
    algorithm,
    name,
    sequence(time(new Date(now - BACKDATED_MS)), time(end)),
    name,
    publicKey,
    der(0xa3, sequence(sequence(objectId(2, 5, 29, 17), der(0x04, alternativeNames)))),
  );
  const signature = createSign("sha256").update(body).sign(privateKey);
  const certificate = sequence(body, algorithm, der(0x03, Buffer.concat([Buffer.from([0]), signature])));
  const lines = certificate.toString("base64").match(/.{1,64}/g) ?? [];
  return {
    cert: ["-----BEGIN CERTIFICATE-----", ...lines, "-----END CERTIFICATE-----", ""].join("\n"),
    key: privateKey.export({ type: "pkcs8", format: "pem" }) as string,
  };
}

function der(tag: number, ...contents: Buffer[]): Buffer {
  const content = Buffer.concat(contents);
  if (content.length < 0x80) return Buffer.concat([Buffer.from([tag, content.length]), content]);
  const length = Buffer.from([content.length >> 8, content.length & 0xff]);
  return Buffer.concat([Buffer.from([tag, 0x82]), length, content]);
}

function sequence(...contents: Buffer[]): Buffer {
  return der(0x30, ...contents);
}

function integer(octets: Buffer): Buffer {
  return der(0x02, octets);
}

function time(at: Date): Buffer {
  return der(0x18, Buffer.from(`${at.toISOString().replaceAll(/\D/g, "").slice(0, 14)}Z`));
}

/** A DNS name, or an IPv4 address. */
function alternativeName(host: string): Buffer {
  const isAddress = /^\d+\.\d+\.\d+\.\d+$/.test(host);
  return isAddress ? der(0x87, Buffer.from(host.split(".").map(Number))) : der(0x82, Buffer.from(host));
}

function objectId(first: number, second: number, ...rest: number[]): Buffer {
  const octets = [first * 40 + second];
  for (const number of rest) {
    const groups = [number & 0x7f];
    for (let left = number >> 7; left > 0; left >>= 7) groups.unshift(0x80 | (left & 0x7f));
    octets.push(...groups);
  }
  return der(0x06, Buffer.from(octets));
}
