import { describe, expect, test } from "vitest";
import { ConfigError, readConfig } from "./config.ts";

const faultsOf = (environment: Record<string, string>): string => {
  try {
    readConfig(environment);
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
  return "";
};

const carrier = { name: "A", kind: "smpp", host: "127.0.0.1", port: 2775, systemId: "s", password: "p" };

describe("a wrong value", () => {
  test.each([
    ["PORT", "80a"],
    ["PORT", "65536"],
    ["PUBLIC_URL", "localhost:8080"],
    ["DATABASE_URL", "mysql://x"],
    ["FILE_STORE", "https://key:secret@host/bucket"],
    ["FILE_STORE", "s3://host/bucket"],
    ["FILE_STORE", "s3://key@host/bucket"],
    ["FILE_STORE", "s3://key:secret@host"],
    ["FILE_STORE", "s3://key:secret@host/Bucket"],
    ["FILE_STORE", "s3://key:secret@host/bucket/a folder"],
    ["FILE_STORE", "s3://key:secret@host/bucket?tls=maybe"],
    ["FILE_STORE", "s3://key:secret@host/bucket?acl=public"],
    ["FILE_STORE", "s3://key:sec%ret@host/bucket"],
    ["SECOND_ADMIN_ABOVE", "-1"],
    ["ROLES", "web,mailer"],
    ["SMPP_LISTEN", "2775"],
    ["SMPP_LISTEN", "host:99999"],
    ["SMPP_LISTEN", "host:2775,ssl"],
    ["ROLES", "smpp"],
    ["SMTP_URL", "http://x"],
    ["SMTP_URL", "smtp://mail.example?tls=maybe"],
    ["SMTP_URL", "smtps://mail.example?tls=off"],
    ["MAIL_FROM", "nobody"],
    ["MAIL_FROM", "a@b.c\r\nBcc: d@e.f"],
    ["CARRIERS", "[{]"],
    ["CARRIERS", "/no/such/file"],
    ["CARRIERS", "[]"],
    ["CARRIERS", JSON.stringify([{ ...carrier, port: "2775" }])],
    ["CARRIERS", JSON.stringify([{ ...carrier, kind: "http" }])],
    ["ADMIN_EMAIL_HOST", "@ewebal.com"],
    ["ADMIN_REGISTRATION", "invite"],
    ["MANAGEMENT_EMAIL", "management"],
    ["EMAIL_RULES", "none"],
    ["PAGE_RULE", "160"],
    ["REFUND_FAILED", "yes"],
    ["SESSION_IDLE_SECONDS", "0"],
    ["SESSION_MAX_SECONDS", "-1"],
    ["RATE_LIMITS", "false"],
    ["TRUST_PROXY", "on"],
    ["TRIAL_PARTS", "card,letterbox"],
    ["TRIAL_PARTS", "none,card"],
    ["DEMO", "true"],
    ["LOG_LEVEL", "loud"],
    ["BRAND", `{"emails":["x"]}`],
  ])("%s=%s stops the start and names the variable", (name, value) => {
    expect(faultsOf({ [name]: value })).toMatch(new RegExp(`\\n {2}${name} \\S`));
  });

  test("several faults are listed in one message, without the values", () => {
    const FILE_STORE = "s3://key:secret-of-files@host/B";
    const message = faultsOf({ PORT: "x", RATE_LIMITS: "maybe", DATABASE_URL: "secret-without-scheme", FILE_STORE });
    expect(message.match(/\n/g)).toHaveLength(4);
    expect(message).not.toMatch(/secret-/);
  });
});

describe("the defaults", () => {
  test("are those of the specification", () => {
    expect(readConfig({})).toMatchObject({
      host: "127.0.0.1",
      port: 8080,
      publicUrl: "http://localhost:8080",
      databaseUrl: undefined,
      mailServer: undefined,
      carriers: undefined,
      adminEmailHost: "ewebal.com",
      emailRules: "specified",
      pageRule: "flat160",
      isRefundingFailed: false,
      sessionIdleSeconds: 1200,
      sessionMaxSeconds: 43_200,
      isRateLimited: true,
      trustedProxyCount: 0,
      isDemo: undefined,
      logLevel: "info",
    });
  });

  test("an empty variable counts as unset, and PUBLIC_URL follows PORT", () => {
    expect(readConfig({ HOST: "", PORT: "9000" })).toMatchObject({
      host: "127.0.0.1",
      publicUrl: "http://localhost:9000",
    });
  });

  test.each([
    ["nothing is configured", {}, ["card", "mailbox", "phones", "demo"]],
    ["PUBLIC_URL is plain http", { PUBLIC_URL: "http://sms.example" }, ["card", "mailbox", "phones", "demo"]],
    ["PUBLIC_URL is https", { PUBLIC_URL: "https://sms.example" }, []],
    ["there are carriers", { CARRIERS: JSON.stringify([carrier]) }, []],
    ["there is a mail server", { SMTP_URL: "smtp://mail.example" }, []],
    [
      "they are named beside real things",
      { SMTP_URL: "smtp://mail.example", TRIAL_PARTS: "phones, card" },
      ["card", "phones"],
    ],
    ["none is named", { TRIAL_PARTS: "none" }, []],
  ])("of the stand-ins, when %s", (_when, environment: Record<string, string>, parts) => {
    expect([...readConfig(environment).trialParts]).toEqual(parts);
  });

  test.each([
    ["postgres://u:p@db.example/x", "postgres://u:p@db.example/x?sslmode=verify-full"],
    [
      "postgres://u:p@10.0.0.7/x?application_name=a",
      "postgres://u:p@10.0.0.7/x?application_name=a&sslmode=verify-full",
    ],
    ["postgres://u:p@localhost/x?host=db.example", "postgres://u:p@localhost/x?host=db.example&sslmode=verify-full"],
    [
      "postgres://u:p@db1.example:5433,db2.example/x",
      "postgres://u:p@db1.example:5433,db2.example/x?sslmode=verify-full&target_session_attrs=read-write",
    ],
    // One host elsewhere is enough to need TLS.
    [
      "postgres://u:p@localhost,10.0.0.7/x?target_session_attrs=primary",
      "postgres://u:p@localhost,10.0.0.7/x?target_session_attrs=primary&sslmode=verify-full",
    ],
    ["postgres://u:p@[::1]:1,127.0.0.1/x", "postgres://u:p@[::1]:1,127.0.0.1/x?target_session_attrs=read-write"],
    ...[
      "postgres://u:p@db.example/x?sslmode=disable",
      "postgres://u:p@db.example/x?ssl=true",
      "postgres://u:p@127.0.0.1/x",
      "postgres://u:p@[::1]/x",
      "postgres://u:p@localhost/x",
      "postgres:///x?host=/var/run/postgresql",
    ].map((url) => [url, url]),
  ])("of TLS to PostgreSQL: %s", (given = "", read) => {
    expect(readConfig({ DATABASE_URL: given }).databaseUrl).toBe(read);
  });

  test.each([
    ["postgres://u:p@db1.example,/x", "hosts between the commas"],
    ["postgres://u:p@db1.example,db2.example:port/x", "must be an address"],
    ["postgres://u:p@db1,db2/x?host=db3", "hosts between the commas"],
    ["postgres://u:p@db1,db2/x?target_session_attrs=standby", "this program writes"],
    ["mysql://u:p@db1,db2/x", "must be an address"],
  ])("of a database that cannot be: %s", (given, reason) => {
    expect(() => readConfig({ DATABASE_URL: given })).toThrow(reason);
  });

  test.each([
    ["smtp://mail.example:587", "required"],
    ["smtps://mail.example", "required"],
    ["smtp://10.0.0.7", "required"],
    ["smtp://127.0.0.1:25?tls=on", "required"],
    ["smtp://mail.example?tls=off", "off"],
    ["smtp://localhost:25", "offered"],
    ["smtp://[::1]:25", "offered"],
  ])("of TLS to the mail server: %s", (given, tls) => {
    const { mailServer } = readConfig({ SMTP_URL: given });
    expect(mailServer).toEqual({ url: given.replace(/\?.*/, ""), tls });
  });

  test.each([
    [{ host: "smpp.carrier.example" }, true],
    [{ host: "10.0.0.7" }, true],
    [{ host: "smpp.carrier.example", tls: false }, false],
    [{ host: "127.0.0.1" }, false],
    [{ host: "localhost" }, false],
    [{ host: "127.0.0.1", tls: true }, true],
  ])("of TLS to a carrier: %j", (facts, tls) => {
    expect(readConfig({ CARRIERS: JSON.stringify([{ ...carrier, ...facts }]) }).carriers).toMatchObject([{ tls }]);
  });

  test("a file store is read from one address, with its secret decoded", () => {
    expect(readConfig({}).fileStore).toBeUndefined();
    expect(
      readConfig({ FILE_STORE: "s3://KEY:a%2Fb%2B%40c@minio.local:9000/receipts/live/2026?region=eu-west-1&tls=off" })
        .fileStore,
    ).toEqual({
      endpoint: "http://minio.local:9000",
      region: "eu-west-1",
      bucket: "receipts",
      prefix: "live/2026/",
      accessKeyId: "KEY",
      secretAccessKey: "a/b+@c",
    });
    const { fileStore } = readConfig({ FILE_STORE: "s3://KEY:secret@s3.example/receipts" });
    expect(fileStore).toMatchObject({ endpoint: "https://s3.example", region: "us-east-1", prefix: "" });
  });

  test("a carrier over HTTP needs its address and a body, or a preset; what is wrong is named", () => {
    const overHttp = { name: "H", kind: "http", url: "http://10.0.0.1/sms", body: { to: "{{to}}", text: "{{text}}" } };
    const termii = { name: "T", kind: "http", preset: "termii", secrets: { apiKey: "key" } };
    const { carriers } = readConfig({ CARRIERS: JSON.stringify([carrier, overHttp, termii]) });
    expect(carriers).toMatchObject([
      { kind: "smpp" },
      { kind: "http", window: 10, link: { method: "POST", body: { form: "json" } } },
      { kind: "http", preset: "termii", link: { url: { literals: ["https://api.ng.termii.com/api/sms/send"] } } },
    ]);
    for (const [wrong, words] of [
      [{ ...overHttp, body: "text={{text}}" }, "0.body must hold {{to}}"],
      [{ ...overHttp, success: { path: "a..b" } }, '0.success.path "a..b" is no path'],
      [{ ...termii, preset: "nobody" }, "0.preset is termii, africastalking or infobip"],
      [{ ...termii, secrets: {} }, "0.secrets lacks apiKey"],
      [{ ...overHttp, host: "h" }, "host"],
      [{ ...overHttp, kind: "sms" }, "0.kind must be smpp or http"],
    ] as const)
      expect(() => readConfig({ CARRIERS: JSON.stringify([wrong]) })).toThrow(words);
  });

  test("a carrier needs only its address and credentials; a brand only what differs", () => {
    const config = readConfig({ CARRIERS: JSON.stringify([carrier]), BRAND: `{"name":"Other"}` });
    expect(config.carriers).toEqual([
      expect.objectContaining({ binds: 1, window: 10, prefixes: [], weight: 1, receiptIds: "asIs" }),
    ]);
    expect(config.brand).toMatchObject({ name: "Other", suffix: "sms" });
  });
});

test("who registers as an administrator waits for an owner once the public address is https, unless a setting says otherwise", () => {
  const registration = (environment: Record<string, string>) => readConfig(environment).adminRegistration;
  const isPublic = { PUBLIC_URL: "https://sms.example.com" };
  expect([registration({}), registration(isPublic), registration({ ...isPublic, ADMIN_REGISTRATION: "open" })]).toEqual(
    ["open", "approval", "open"],
  );
});

test("SMPP for customers is off unless it has an address, and its role follows from that unless the roles are named", () => {
  const read = (environment: Record<string, string>) => {
    const { roles, smppListen } = readConfig(environment);
    return { roles: [...roles], smppListen };
  };
  expect(read({})).toEqual({ roles: ["web", "worker"], smppListen: undefined });
  expect(read({ SMPP_LISTEN: "0.0.0.0:2775" })).toEqual({
    roles: ["web", "worker", "smpp"],
    smppListen: { host: "0.0.0.0", port: 2775, hasTls: false },
  });
  expect(read({ SMPP_LISTEN: "[::1]:3550,tls", ROLES: "smpp" })).toEqual({
    roles: ["smpp"],
    smppListen: { host: "::1", port: 3550, hasTls: true },
  });
  expect(read({ SMPP_LISTEN: "smpp.example.com:2775", ROLES: "web" }).roles).toEqual(["web"]);
});
