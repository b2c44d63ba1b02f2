import type { Brand } from "@ewebal/contract";
import type { CarrierSettings, MailServer, Role, S3Settings, SmppListen, TrialPart } from "./config-readers.ts";

/** What the environment says, read once. `config.ts` has each variable's default and meaning. */
export type Config = {
  host: string;
  /** 0 means a free port, printed at the start. */
  port: number;
  /** Without a slash at the end; used in mails and callbacks, never the Host header. */
  publicUrl: string;
  dataDir: string;
  /** Undefined: the embedded PostgreSQL. */
  databaseUrl: string | undefined;
  /** Undefined: the folder `files` in the data directory. */
  fileStore: S3Settings | undefined;
  roles: ReadonlySet<Role>;
  /** Undefined: no SMPP for customers. */
  smppListen: SmppListen | undefined;
  mailServer: MailServer | undefined;
  mailFrom: string;
  /** Undefined: those that administrators keep; without any the simulator, where it may. */
  carriers: CarrierSettings[] | undefined;
  paystackSecretKey: string | undefined;
  paystackBaseUrl: string;
  paystackBank: string;
  adminEmailHost: string;
  /** Whether mailboxes of its sub-domains are the company's as well. */
  areAdminSubdomainsAllowed: boolean;
  /** Who registers as an administrator is let in at once, or by an owner. */
  adminRegistration: "open" | "approval";
  managementEmail: string;
  /** Hundredths of a percent. */
  vatBasisPoints: number;
  /** Whole units that one administrator may credit for a deposit alone. */
  secondAdminAboveUnits: number;
  emailRules: "specified" | "any";
  pageRule: "flat160" | "gsm";
  isRefundingFailed: boolean;
  /** Whether promotional messages wait for the hours that administrators keep. */
  hasQuietHours: boolean;
  /** Events may be posted to addresses of this machine and of private networks. */
  areWebhooksPrivate: boolean;
  /** A send to more recipients waits for a review; undefined: none does. `first`: while nothing of the account was handed over. */
  reviewAbove: { first: number | undefined; any: number | undefined };
  /** Recipients of one country that a customer without a limit of their own may send to in a day. */
  dailyRecipientsMax: number;
  sessionIdleSeconds: number;
  sessionMaxSeconds: number;
  /** An administrator without a second factor can do nothing but set one up. */
  isAdminFactorRequired: boolean;
  isRateLimited: boolean;
  /** How many proxies in front may set X-Forwarded-For. */
  trustedProxyCount: number;
  /** Stand-ins that may play the real thing; see `trial-parts.ts` for which of them do. */
  trialParts: ReadonlySet<TrialPart>;
  /** False: `trialParts` is what follows from the rest of the configuration. */
  areTrialPartsNamed: boolean;
  /** Undefined: on when the database is embedded and new. Counts only with the trial part of that name. */
  isDemo: boolean | undefined;
  logLevel: "fatal" | "error" | "warn" | "info" | "debug" | "trace" | "silent";
  metricsToken: string | undefined;
  /** The collector that spans go to, over OTLP and HTTP. Undefined: nothing is traced. */
  traceEndpoint: string | undefined;
  /** Who is mailed of alarms, and where they are posted; undefined: nobody, nowhere. Without a secret one follows from the key of secrets. */
  alarms: { mail: string | undefined; webhook: string | undefined; webhookSecret: string | undefined };
  /** Encrypts what the database must not give away by itself. Undefined: a file in the data directory. */
  secretsKey: Buffer | undefined;
  oldSecretsKeys: readonly Buffer[];
  /** Seals back-ups. Undefined: whoever has the file can read it. */
  backupKey: Buffer | undefined;
  /** Where the nightly back-up goes. Undefined: none is made. */
  backupDir: string | undefined;
  /** Months before the current one whose recipients are kept. Undefined: all. */
  keepMonths: number | undefined;
  /** Days after which the texts of messages are removed, and the numbers. Undefined: never. */
  keepDays: { texts: number | undefined; numbers: number | undefined };
  brand: Brand;
};
