/** What reads one variable's text. Each throws an Error whose message completes the sentence "NAME ...". */
import { readFileSync } from "node:fs";
import { httpCarrierFieldsSchema, messageClasses, resolveHttpCarrier } from "@ewebal/contract";
import type { Brand } from "@ewebal/contract";
import { z } from "zod";
import { hostOf, isLoopback } from "./loopback.ts";

export type Role = "web" | "worker" | "smpp";

const trialParts = ["card", "mailbox", "phones", "demo"] as const;
/** A stand-in: the card sandbox, kept mails, the carrier simulator with its phones, the demo accounts. */
export type TrialPart = (typeof trialParts)[number];

/** A store that speaks S3, from one address. */
export type S3Settings = {
  /** Without the bucket: `https://host:port`. */
  endpoint: string;
  region: string;
  bucket: string;
  /** Stands before every name; empty, or ends with a slash. */
  prefix: string;
  accessKeyId: string;
  secretAccessKey: string;
};

export function readText(text: string): string {
  if (text === "") throw new Error("must not be empty");
  return text;
}

const KEY_BYTES = 32;

export function readKey(text: string): Buffer {
  const key = Buffer.from(text, "base64");
  if (key.byteLength !== KEY_BYTES || key.toString("base64") !== text)
    throw new Error(`must be ${KEY_BYTES} bytes in base64, such as \`openssl rand -base64 32\` prints`);
  return key;
}

export function optional<T>(read: (text: string) => T): (text: string) => T | undefined {
  return (text) => (text === "" ? undefined : read(text));
}

export function wholeNumber(min: number, max: number): (text: string) => number {
  return (text) => {
    const value = /^[0-9]{1,10}$/.test(text) ? Number(text) : Number.NaN;
    if (!(value >= min && value <= max)) throw new Error(`must be a whole number from ${min} to ${max}`);
    return value;
  };
}

/** @returns hundredths of a percent. */
export function readBasisPoints(text: string): number {
  if (!/^[0-9]{1,2}(?:\.[0-9]{1,2})?$/.test(text))
    throw new Error("must be a percentage below 100 with at most two decimals");
  return Math.round(Number(text) * 100);
}

export function oneOf<const T extends string>(...choices: T[]): (text: string) => T {
  return (text) => {
    const choice = choices.find((candidate) => candidate === text);
    if (choice === undefined) throw new Error(`must be one of ${choices.join(", ")}`);
    return choice;
  };
}

export function readSwitch(text: string): boolean {
  return oneOf("on", "off")(text) === "on";
}

export function readUrl(...protocols: string[]): (text: string) => string {
  return (text) => {
    const url = URL.parse(text);
    if (url === null || !protocols.includes(url.protocol)) {
      throw new Error(`must be an address that starts with ${protocols.map((name) => `${name}//`).join(" or ")}`);
    }
    let end = text.length;
    while (text[end - 1] === "/") end -= 1;
    return text.slice(0, end);
  };
}

/** Up to the hosts, the hosts, and the rest: several hosts with ports are no address to `URL`. */
const DATABASE_URL_FORM = /^([a-z]+:\/\/(?:[^/?#@]*@)?)([^/?#@]*,[^/?#@]*)([^]*)$/;

/**
 * An address without `sslmode` is encrypted, with a checked certificate, unless it stays on this machine. Of several hosts, one takes
 * writes; `target_session_attrs=read-write` is added, so that PostgreSQL's own tools look for the same one.
 */
export function readDatabaseUrl(text: string): string {
  const [, start = "", list = "", rest = ""] = DATABASE_URL_FORM.exec(text) ?? [];
  if (list !== "" && list.split(",").some((host) => host === "" || host.startsWith(":")))
    throw new Error("must name each of its hosts between the commas");
  const addresses = list === "" ? [text] : list.split(",").map((host) => `${start}${host}${rest}`);
  for (const address of addresses) readUrl("postgres:", "postgresql:")(address);
  const urls = addresses.map((address) => new URL(address));
  if (list !== "" && urls.some((url) => url.searchParams.has("host")))
    throw new Error("must name each of its hosts between the commas, and none behind the question mark");
  const { searchParams } = urls[0] as URL;
  const wanted = searchParams.get("target_session_attrs");
  if (wanted !== null && !["read-write", "primary"].includes(wanted))
    throw new Error("takes target_session_attrs=read-write or primary: this program writes");
  const isDecided = ["sslmode", "ssl", "sslnegotiation"].some((name) => searchParams.has(name));
  const isEncryptionAdded = !isDecided && !urls.every(isOnThisMachine);
  const added = [
    ...(isEncryptionAdded ? ["sslmode=verify-full"] : []),
    ...(list !== "" && wanted === null ? ["target_session_attrs=read-write"] : []),
  ];
  return added.reduce((address, option) => `${address}${address.includes("?") ? "&" : "?"}${option}`, text);
}

function isOnThisMachine(url: URL): boolean {
  const host = url.searchParams.get("host") ?? hostOf(url);
  // A socket of this machine is no host, or a path.
  return host === "" || host.startsWith("/") || isLoopback(host);
}

export type MailServer = {
  /** As nodemailer takes it. */
  url: string;
  /** `off`: never, even if it is offered. `offered`: with whoever offers it. */
  tls: "required" | "offered" | "off";
};

/** `?tls=on` or `off` decides; without it TLS is required, unless the server is on this machine. */
export function readMailServer(text: string): MailServer {
  readUrl("smtp:", "smtps:")(text);
  const url = new URL(text);
  const choice = url.searchParams.get("tls");
  if (choice !== null && choice !== "on" && choice !== "off")
    throw new Error("takes tls=on or tls=off after the question mark");
  if (choice === "off" && url.protocol === "smtps:")
    throw new Error("is encrypted by smtps: write smtp to switch TLS off");
  url.searchParams.delete("tls");
  if (choice === "off") return { url: url.href, tls: "off" };
  return { url: url.href, tls: choice === "on" || !isLoopback(hostOf(url)) ? "required" : "offered" };
}

const BUCKET_FORM = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/;
const FOLDER_FORM = /^[A-Za-z0-9._-]+$/;

/** Key and secret are percent-encoded where they hold `/`, `@`, `:` or `%`, as in every address. */
export function readFileStore(text: string): S3Settings {
  const url = URL.parse(text);
  if (url === null || url.protocol !== "s3:" || url.host === "") throw new Error("must be s3://key:secret@host/bucket");
  const [bucket = "", ...folders] = url.pathname
    .split("/")
    .slice(1)
    .filter((part) => part !== "");
  if (!BUCKET_FORM.test(bucket)) throw new Error("must name a bucket after the host");
  if (!folders.every((folder) => FOLDER_FORM.test(folder)))
    throw new Error("must name its folder in letters, digits, dots, dashes and underscores");
  const [accessKeyId, secretAccessKey] = [decodePart(url.username), decodePart(url.password)];
  if (accessKeyId === "" || secretAccessKey === "") throw new Error("must hold a key and a secret before the host");
  const unknown = [...url.searchParams.keys()].find((name) => name !== "region" && name !== "tls");
  if (unknown !== undefined) throw new Error("takes only region and tls after the question mark");
  const hasTls = readSwitch(url.searchParams.get("tls") ?? "on");
  return {
    endpoint: `${hasTls ? "https" : "http"}://${url.host}`,
    region: url.searchParams.get("region") ?? "us-east-1",
    bucket,
    prefix: folders.map((folder) => `${folder}/`).join(""),
    accessKeyId,
    secretAccessKey,
  };
}

function decodePart(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch (error) {
    throw new Error("holds a % that begins no code", { cause: error });
  }
}

export function readDomain(text: string): string {
  const domain = text.toLowerCase();
  if (!/^(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z]{2,}$/.test(domain))
    throw new Error("must be a domain such as ewebal.com");
  return domain;
}

export function readMailFrom(text: string): string {
  if (/[\r\n]/.test(text) || !/^(?:[^<>]+<[^<>\s@]+@[^<>\s@]+>|[^<>\s@]+@[^<>\s@]+)$/.test(text)) {
    throw new Error("must be `Name <address>` or an address");
  }
  return text;
}

export function readRoles(text: string): ReadonlySet<Role> {
  return new Set(text.split(",").map((role) => oneOf("web", "worker", "smpp")(role.trim())));
}

/** Where customers' SMPP clients bind. */
export type SmppListen = { host: string; port: number; hasTls: boolean };

const SMPP_LISTEN_FORM = /^(?:\[([0-9a-fA-F:.]{2,45})\]|([^\s,:[\]]{1,253})):([0-9]{1,5})(,tls)?$/;

export function readSmppListen(text: string): SmppListen {
  const [, address6, host = address6, port, tls] = SMPP_LISTEN_FORM.exec(text) ?? [];
  if (host === undefined || port === undefined) throw new Error("must be host:port or host:port,tls");
  return { host, port: wholeNumber(0, 65_535)(port), hasTls: tls !== undefined };
}

/** `none` is a word of its own, as the empty text means unset. */
export function readTrialParts(text: string): ReadonlySet<TrialPart> {
  const names = text.split(",").map((name) => oneOf(...trialParts, "none")(name.trim()));
  if (names.length > 1 && names.includes("none")) throw new Error("names none together with others");
  return new Set(trialParts.filter((part) => names.includes(part)));
}

/** @returns all parts for whoever tries the product; none once anything real is configured. */
export function defaultTrialParts({ isReal }: { isReal: boolean }): ReadonlySet<TrialPart> {
  return new Set(isReal ? [] : trialParts);
}

export function readJsonOrFile(text: string): unknown {
  const json = /^[[{]/.test(text) ? text : readSettingsFile(text);
  try {
    return JSON.parse(json);
  } catch (error) {
    throw new Error("is not valid JSON", { cause: error });
  }
}

function readSettingsFile(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    throw new Error("names a file that cannot be read", { cause: error });
  }
}

const carrierShape = z.object({
  name: z.string().min(1).max(60),
  kind: z.literal("smpp"),
  host: z.string().min(1),
  port: z.int().min(1).max(65_535),
  systemId: z.string().max(15),
  password: z.string().max(64),
  systemType: z.string().max(12).optional(),
  /** Unset: on, unless the carrier is on this machine. */
  tls: z.boolean().optional(),
  binds: z.int().min(1).max(16).default(1),
  /** Unanswered submits per bind, from the contract with the carrier. */
  window: z.int().min(1).max(10_000).default(10),
  messagesPerSecond: z.number().min(0.1).max(1_000_000).default(100),
  /** Number prefixes that this carrier takes; empty means all. */
  prefixes: z.array(z.string().regex(/^[0-9]{1,15}$/)).default([]),
  weight: z.number().min(0).max(1_000).default(1),
  /** How this carrier writes message ids in receipts, compared with its answers. */
  receiptIds: z.enum(["asIs", "hexToDec", "decToHex"]).default("asIs"),
  longMessages: z.enum(["udh8", "udh16", "sar", "payload"]).default("udh8"),
  /** What it takes; both when unset. */
  classes: z.array(z.enum(messageClasses)).min(1).optional(),
  /** Whether its transactional messages reach do-not-disturb numbers. */
  reachesDnd: z.boolean().optional(),
});

const smppCarrierSchema = carrierShape.transform((carrier) => ({
  ...carrier,
  tls: carrier.tls ?? !isLoopback(carrier.host),
}));
export type SmppCarrierSettings = z.infer<typeof smppCarrierSchema>;

const httpCarrierSchema = httpCarrierFieldsSchema
  .extend({ name: z.string().min(1).max(60) })
  .transform(({ name, kind, ...typed }, context) => {
    const { link, faults } = resolveHttpCarrier(typed);
    for (const { field, text } of faults) context.addIssue({ code: "custom", path: field.split("."), message: text });
    if (link === undefined) return z.NEVER;
    const { prefixes, weight, priority, classes, reachesDnd, window, messagesPerSecond, preset } = typed;
    return { kind, name, preset, link, prefixes, weight, priority, classes, reachesDnd, window, messagesPerSecond };
  });
export type HttpCarrierSettings = z.infer<typeof httpCarrierSchema>;

/** A carrier as `CARRIERS` names it. */
export type CarrierSettings = SmppCarrierSettings | HttpCarrierSettings;

/** One by one, so that a fault is told in the words of the kind that was meant. */
export function readCarriers(text: string): CarrierSettings[] {
  const kinds = z.array(z.looseObject({ kind: z.enum(["smpp", "http"], "must be smpp or http") })).min(1);
  return kinds.parse(readJsonOrFile(text)).map((carrier, index) => {
    const read = (carrier.kind === "http" ? httpCarrierSchema : smppCarrierSchema).safeParse(carrier);
    if (read.success) return read.data;
    throw new z.ZodError(read.error.issues.map((issue) => ({ ...issue, path: [index, ...issue.path] })));
  });
}

/** A secret of Standard Webhooks. */
export function readWebhookSecret(text: string): string {
  const bytes = /^whsec_[A-Za-z0-9+/]+={0,2}$/.test(text) ? Buffer.from(text.slice(6), "base64").byteLength : 0;
  if (bytes < 24 || bytes > 64) throw new Error("must be whsec_ and 24 to 64 bytes in base64");
  return text;
}

export function faultText(error: unknown): string {
  if (error instanceof z.ZodError) {
    return error.issues.map((issue) => `${issue.path.join(".")} ${issue.message}`.trim()).join("; ");
  }
  return error instanceof Error ? error.message : "is not valid";
}

export function withoutUndefined<T extends object>(value: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(value).filter(([, part]) => part !== undefined)) as never;
}

/** What a process does that was not told. */
export function defaultRoles({ smppListen }: { smppListen: SmppListen | undefined }): ReadonlySet<Role> {
  return new Set<Role>(smppListen === undefined ? ["web", "worker"] : ["web", "worker", "smpp"]);
}

/** The start must stop. The message lists every faulty variable, and no values: some are secrets. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
}

/**
 * What the product calls itself until the `BRAND` variable says otherwise. Phones, chat and account number are
 * placeholders that nobody owns: a company sets its own before it opens.
 */
export const defaultBrand: Brand = {
  name: "Ewebal",
  suffix: "sms",
  address: "Lagos, Nigeria",
  phones: ["+234 800 000 0001", "+234 800 000 0002"],
  emails: ["support@ewebal.com", "info@ewebal.com"],
  chat: "2348000000001",
  bank: { name: "Ewebal Microfinance Bank", accountName: "Ewebal", accountNumber: "0000000000" },
};
