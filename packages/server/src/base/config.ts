/**
 * The one module that reads the environment. Every variable stands in `variables` once, with its default and
 * meaning; README's table and `.env.example` are compared with it by a test. A wrong value stops the start with
 * one message that lists every faulty variable.
 */
import { resolve } from "node:path";
import { brandSchema } from "@ewebal/contract";
import { z } from "zod";
import {
  type CarrierSettings,
  ConfigError,
  readCarriers,
  defaultBrand,
  defaultRoles,
  defaultTrialParts,
  faultText,
  type MailServer,
  oneOf,
  optional,
  readDatabaseUrl,
  readDomain,
  readFileStore,
  readJsonOrFile,
  readKey,
  readMailFrom,
  readMailServer,
  readRoles,
  readSmppListen,
  readBasisPoints,
  readSwitch,
  readText,
  readTrialParts,
  readUrl,
  readWebhookSecret,
  type Role,
  type S3Settings,
  type SmppListen,
  type TrialPart,
  wholeNumber,
  withoutUndefined,
} from "./config-readers.ts";
import type { Config } from "./config-type.ts";

/** Of the embedded database, of its role, and of the system account that an operator may make for it. */
export const PROGRAM_NAME = "ewebal";

export { ConfigError };
export type { Config };
export type { CarrierSettings, MailServer, Role, S3Settings, SmppListen, TrialPart };

type Variable<T> = {
  /** As printed in the documents; the empty text means unset. */
  default: string;
  meaning: string;
  /** Throws an Error whose message completes the sentence "NAME ...". */
  read: (text: string) => T;
};

/** Keeps each variable's type while the table is checked as a whole. */
function variable<T>(definition: Variable<T>): Variable<T> {
  return definition;
}

function keptDays(daysMin: number, meaning: string): Variable<number | undefined> {
  return variable({ default: "", meaning, read: optional(wholeNumber(daysMin, 36_500)) });
}

export const variables = {
  HOST: variable({ default: "127.0.0.1", meaning: "address that the web server listens on", read: readText }),
  PORT: variable({ default: "8080", meaning: "port of the web server; 0: a free one", read: wholeNumber(0, 65_535) }),
  PUBLIC_URL: variable({
    default: "",
    meaning: "address used in mails and callbacks; `http://localhost:$PORT` when unset",
    read: optional(readUrl("http:", "https:")),
  }),
  DATA_DIR: variable({
    default: "./data",
    meaning:
      "embedded database, uploads, mailbox, secrets; created with mode 700, and opened to the group of the roles when root starts them",
    read: (text) => resolve(readText(text)),
  }),
  DATABASE_URL: variable({
    default: "",
    meaning:
      "an existing PostgreSQL 15 or newer instead of the embedded one, with its standbys after commas (`@db1,db2/`); elsewhere than on this machine with TLS and a checked certificate, unless `?sslmode=` says otherwise",
    read: optional(readDatabaseUrl),
  }),
  FILE_STORE: variable({
    default: "",
    meaning:
      "uploaded receipts in any S3-compatible store, `s3://key:secret@host/bucket/folder?region=us-east-1&tls=on`; `$DATA_DIR/files` when unset",
    read: optional(readFileStore),
  }),
  ROLES: variable({
    default: "",
    meaning:
      "what this process does: `web`, `worker`, `smpp`; `web,worker` when unset, with `smpp` when `SMPP_LISTEN` is set; any number of processes may share one database",
    read: optional(readRoles),
  }),
  SMPP_LISTEN: variable({
    default: "",
    meaning:
      "`host:port[,tls]` of the SMPP server for customers; the certificate for `tls` is `$DATA_DIR/smpp/tls.crt` with `tls.key`, made when there is none",
    read: optional(readSmppListen),
  }),
  SMTP_URL: variable({
    default: "",
    meaning:
      "mail server, such as `smtp://user:password@host:587`; elsewhere than on this machine only with TLS, unless it ends in `?tls=off`; without it, and with the trial part `mailbox`, mails are kept in `$DATA_DIR/mailbox` and shown at `/mailbox`",
    read: optional(readMailServer),
  }),
  MAIL_FROM: variable({ default: "Ewebal <no-reply@ewebal.com>", meaning: "sender of every mail", read: readMailFrom }),
  CARRIERS: variable({
    default: "",
    meaning:
      "carriers over SMPP or HTTP: the path of a JSON file, or the JSON itself; administrators can add others; without any the trial part `phones` carries",
    read: optional(readCarriers),
  }),
  PAYSTACK_SECRET_KEY: variable({
    default: "",
    meaning: "card payments; without it the trial part `card` plays the provider, or cards are not available",
    read: optional(readText),
  }),
  PAYSTACK_BASE_URL: variable({
    default: "https://api.paystack.co",
    meaning: "address of the card provider",
    read: readUrl("http:", "https:"),
  }),
  PAYSTACK_BANK: variable({ default: "wema-bank", meaning: "the bank that keeps account numbers", read: readText }),
  ADMIN_EMAIL_HOST: variable({
    default: "ewebal.com",
    meaning: "the domain whose mailboxes may register as administrators",
    read: readDomain,
  }),
  ADMIN_EMAIL_SUBDOMAINS: variable({
    default: "off",
    meaning: "`on` lets mailboxes of the sub-domains of `ADMIN_EMAIL_HOST` register as well",
    read: readSwitch,
  }),
  ADMIN_REGISTRATION: variable({
    default: "",
    meaning:
      "`open`: who proves such a mailbox is an administrator; `approval`: an owner lets them in; when unset `open`, but `approval` once `PUBLIC_URL` is https",
    read: optional(oneOf("open", "approval")),
  }),
  MANAGEMENT_EMAIL: variable({
    default: "management@ewebal.com",
    meaning: "who hears of deposits, whitelist requests and contact-form messages",
    read: (text) => z.email().parse(text),
  }),
  SECOND_ADMIN_ABOVE: variable({
    default: "100000",
    meaning: "credits above this many units (and any credit to oneself) wait for a second administrator",
    read: wholeNumber(0, 100_000_000),
  }),
  VAT_PERCENT: variable({ default: "7.5", meaning: "percent of VAT in prices, on invoices", read: readBasisPoints }),
  EMAIL_RULES: variable({
    default: "specified",
    meaning:
      "with `specified` only gmail.com addresses can sign in, and gmail.com, .com and .ng ones reset a password; `any` takes every valid address",
    read: oneOf("specified", "any"),
  }),
  PAGE_RULE: variable({
    default: "flat160",
    meaning: "`gsm` charges carrier parts instead of pages of 160 characters",
    read: oneOf("flat160", "gsm"),
  }),
  REFUND_FAILED: variable({ default: "off", meaning: "`on` refunds final delivery failures too", read: readSwitch }),
  DAILY_RECIPIENTS_MAX: variable({
    default: "10000000",
    meaning:
      "how many recipients of one country a customer may send to in a day; administrators can give one another limit",
    read: wholeNumber(1, 1_000_000_000),
  }),
  QUIET_HOURS: variable({
    default: "on",
    meaning:
      "promotional messages leave only in the hours that administrators keep (08:00 to 20:00 in Nigeria); `off` for load tests and for who has no such duty",
    read: readSwitch,
  }),
  WEBHOOK_PRIVATE: variable({
    default: "off",
    meaning: "`on` lets webhooks and callbacks go to loopback and private addresses: for tests and intranets",
    read: readSwitch,
  }),
  REVIEW_FIRST_ABOVE: variable({
    default: "",
    meaning:
      "sends to more recipients wait for an administrator while nothing of the account was ever handed over; none do when unset",
    read: optional(wholeNumber(0, 1_000_000)),
  }),
  REVIEW_ABOVE: variable({
    default: "",
    meaning: "sends to more recipients wait for an administrator; none do when unset",
    read: optional(wholeNumber(0, 1_000_000)),
  }),
  SESSION_IDLE_SECONDS: variable({
    default: "1200",
    meaning: "a session ends after this long without a person's action",
    read: wholeNumber(1, 86_400),
  }),
  SESSION_MAX_SECONDS: variable({
    default: "43200",
    meaning: "a session ends after this long in all",
    read: wholeNumber(1, 2_592_000),
  }),
  REQUIRE_2FA: variable({
    default: "off",
    meaning: "`administrators` makes the second factor a duty: without it they can only set it up",
    read: (text) => oneOf("off", "administrators")(text) === "administrators",
  }),
  RATE_LIMITS: variable({ default: "on", meaning: "`off` for load tests", read: readSwitch }),
  TRUST_PROXY: variable({
    default: "off",
    meaning: "how many proxies in front may set `X-Forwarded-For`; the log warns when one is there and this is off",
    read: (text) => (text === "off" ? 0 : wholeNumber(0, 10)(text)),
  }),
  TRIAL_PARTS: variable({
    default: "",
    meaning:
      "stand-ins that may play the real thing: `card` (sandbox), `mailbox` (kept mails), `phones` (carrier simulator), `demo` (demo accounts), or `none`; when unset all, but none once `CARRIERS`, `SMTP_URL` or an https `PUBLIC_URL` is set",
    read: optional(readTrialParts),
  }),
  DEMO: variable({
    default: "",
    meaning:
      "makes a demo customer and administrator; `on` when unset and the database is embedded and new; with the trial part `demo` only",
    read: optional(readSwitch),
  }),
  LOG_LEVEL: variable({
    default: "info",
    meaning: "JSON lines on standard output",
    read: oneOf("fatal", "error", "warn", "info", "debug", "trace", "silent"),
  }),
  METRICS_TOKEN: variable({
    default: "",
    meaning:
      "bearer token for `/metrics`; without it they are a local page, for this machine or with the token that the start prints",
    read: optional(readText),
  }),
  OTEL_EXPORTER_OTLP_ENDPOINT: variable({
    default: "",
    meaning: "address of a collector of traces, such as `http://127.0.0.1:4318`; nothing is traced without it",
    read: optional(readUrl("http:", "https:")),
  }),
  ALARM_MAIL: variable({
    default: "",
    meaning:
      "who gets a mail when something needs an operator, such as a carrier that is down; one mail for each event",
    read: optional((text) => z.email().parse(text)),
  }),
  ALARM_WEBHOOK: variable({
    default: "",
    meaning:
      "address that alarms are posted to when they open and close, signed as Standard Webhooks; it may be private",
    read: optional(readUrl("http:", "https:")),
  }),
  ALARM_WEBHOOK_SECRET: variable({
    default: "",
    meaning: "`whsec_...` that signs alarms; without it they are signed with a secret that no receiver knows",
    read: optional(readWebhookSecret),
  }),
  SECRETS_KEY: variable({
    default: "",
    meaning:
      "32 bytes in base64 that encrypt the carriers' passwords and the secrets of second factors; the same on every machine; `$DATA_DIR/secrets/secrets.key` when unset",
    read: optional(readKey),
  }),
  SECRETS_KEY_OLD: variable({
    default: "",
    meaning:
      "earlier values of `SECRETS_KEY`, separated by commas, that still read until `npm run rotate-keys -- secrets` sealed everything anew",
    read: optional((text) => text.split(",").map(readKey)),
  }),
  BACKUP_KEY: variable({
    default: "",
    meaning: "32 bytes in base64 that encrypt back-ups; keep it apart from them",
    read: optional(readKey),
  }),
  BACKUP_DIR: variable({
    default: "",
    meaning: "folder of a worker's machine for a back-up every night, of which the last 14 are kept",
    read: optional((text) => resolve(text)),
  }),
  KEEP_MONTHS: variable({
    default: "",
    meaning:
      "full months before the current one whose recipients are kept; each older one is written to `BACKUP_DIR`, then removed; all are kept when unset",
    read: optional(wholeNumber(1, 1_200)),
  }),
  KEEP_TEXTS_DAYS: keptDays(1, "days after which texts sent and received are removed; all are kept when unset"),
  // Reports come for ten days.
  KEEP_NUMBERS_DAYS: keptDays(11, "days (11 or more) after which numbers and results are removed; kept when unset"),
  BRAND: variable({
    default: "",
    meaning: "name, address, phones, e-mails, chat and bank: the path of a JSON file, or the JSON itself",
    read: optional((text) => brandSchema.partial().parse(readJsonOrFile(text))),
  }),
};

export type VariableName = keyof typeof variables;
export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Reads and checks the whole configuration.
 * @throws ConfigError with one line for each faulty variable.
 */
export function readConfig(environment: Environment): Config {
  const faults: string[] = [];
  const get = <N extends VariableName>(name: N) => {
    // An empty variable is an unset one: shells and .env files cannot tell them apart.
    const text = environment[name]?.trim() || variables[name].default;
    try {
      return variables[name].read(text) as ReturnType<(typeof variables)[N]["read"]>;
    } catch (error) {
      faults.push(`  ${name} ${faultText(error)}`);
      return undefined as never;
    }
  };
  const port = get("PORT");
  const settings: Omit<Config, "trialParts" | "areTrialPartsNamed" | "adminRegistration"> = {
    host: get("HOST"),
    port,
    publicUrl: get("PUBLIC_URL") ?? `http://localhost:${port}`,
    dataDir: get("DATA_DIR"),
    databaseUrl: get("DATABASE_URL"),
    fileStore: get("FILE_STORE"),
    roles: get("ROLES") ?? new Set(),
    smppListen: get("SMPP_LISTEN"),
    mailServer: get("SMTP_URL"),
    mailFrom: get("MAIL_FROM"),
    carriers: get("CARRIERS"),
    paystackSecretKey: get("PAYSTACK_SECRET_KEY"),
    paystackBaseUrl: get("PAYSTACK_BASE_URL"),
    paystackBank: get("PAYSTACK_BANK"),
    adminEmailHost: get("ADMIN_EMAIL_HOST"),
    areAdminSubdomainsAllowed: get("ADMIN_EMAIL_SUBDOMAINS"),
    managementEmail: get("MANAGEMENT_EMAIL"),
    secondAdminAboveUnits: get("SECOND_ADMIN_ABOVE"),
    vatBasisPoints: get("VAT_PERCENT"),
    emailRules: get("EMAIL_RULES"),
    pageRule: get("PAGE_RULE"),
    isRefundingFailed: get("REFUND_FAILED"),
    dailyRecipientsMax: get("DAILY_RECIPIENTS_MAX"),
    hasQuietHours: get("QUIET_HOURS"),
    areWebhooksPrivate: get("WEBHOOK_PRIVATE"),
    reviewAbove: { first: get("REVIEW_FIRST_ABOVE"), any: get("REVIEW_ABOVE") },
    sessionIdleSeconds: get("SESSION_IDLE_SECONDS"),
    sessionMaxSeconds: get("SESSION_MAX_SECONDS"),
    isAdminFactorRequired: get("REQUIRE_2FA"),
    isRateLimited: get("RATE_LIMITS"),
    trustedProxyCount: get("TRUST_PROXY"),
    isDemo: get("DEMO"),
    logLevel: get("LOG_LEVEL"),
    metricsToken: get("METRICS_TOKEN"),
    traceEndpoint: get("OTEL_EXPORTER_OTLP_ENDPOINT"),
    alarms: { mail: get("ALARM_MAIL"), webhook: get("ALARM_WEBHOOK"), webhookSecret: get("ALARM_WEBHOOK_SECRET") },
    secretsKey: get("SECRETS_KEY"),
    oldSecretsKeys: get("SECRETS_KEY_OLD") ?? [],
    backupKey: get("BACKUP_KEY"),
    backupDir: get("BACKUP_DIR"),
    keepMonths: get("KEEP_MONTHS"),
    keepDays: { texts: get("KEEP_TEXTS_DAYS"), numbers: get("KEEP_NUMBERS_DAYS") },
    brand: { ...defaultBrand, ...withoutUndefined(get("BRAND") ?? {}) },
  };
  if (settings.roles.size === 0) settings.roles = defaultRoles(settings);
  if (settings.roles.has("smpp") && settings.smppListen === undefined)
    faults.push("  ROLES names smpp, which needs SMPP_LISTEN");
  const trialParts = get("TRIAL_PARTS");
  const adminRegistration = get("ADMIN_REGISTRATION");
  if (settings.keepMonths !== undefined && settings.backupDir === undefined)
    faults.push("  KEEP_MONTHS needs BACKUP_DIR, where each month is written before it is removed");
  if (faults.length > 0) {
    throw new ConfigError(`The configuration is invalid:\n${faults.join("\n")}`);
  }
  const isPublic = settings.publicUrl.startsWith("https:");
  const isReal = settings.mailServer !== undefined || settings.carriers !== undefined || isPublic;
  return {
    ...settings,
    adminRegistration: adminRegistration ?? (isPublic ? "approval" : "open"),
    trialParts: trialParts ?? defaultTrialParts({ isReal }),
    areTrialPartsNamed: trialParts !== undefined,
  };
}
