import { readFile } from "node:fs/promises";
import { siteRoutes as contract } from "@ewebal/contract";
import { describe } from "vitest";
import { buildUser } from "../../testing/factories.ts";
import { eachCase, expect, test as base } from "../../testing/app.ts";

const management = "management@example.com";
const help = {
  userName: "Ada",
  email: "ada@example.com",
  subject: "A question",
  message: "How do I buy units?\nThank you",
};

type Ask = (
  body: unknown,
  headers?: Record<string, string>,
) => Promise<{ status: number; body: Record<string, unknown> }>;

const test = base.extend({ environment: { MANAGEMENT_EMAIL: management } }).extend<{ ask: Ask }>({
  ask: async ({ app }, use) => {
    await use(async (payload, headers = {}) => {
      const request = { method: "POST", url: "/api/need-help", payload: payload as object, headers } as const;
      const response = await app.inject(request);
      return { status: response.statusCode, body: response.json<Record<string, unknown>>() };
    });
  },
});
const limited = test.extend({ environment: { MANAGEMENT_EMAIL: management, RATE_LIMITS: "on" } });

describe("what the public pages show", () => {
  const branded = test.extend({
    environment: {
      BRAND: '{"name":"Other"}',
      EMAIL_RULES: "any",
      PAYSTACK_SECRET_KEY: "sk_secret",
      METRICS_TOKEN: "secret",
    },
  });

  branded(
    "the brand and the rules of the forms come from the configuration, and no secret with them",
    async ({ app }) => {
      const response = await app.inject("/api/brand");
      expect(response.body).not.toContain("secret");
      const { data } = contract.brand.schema.response[200].parse(response.json());
      expect(data).toMatchObject({
        name: "Other",
        emailRules: "any",
        pageRule: "flat160",
        isSimulated: true,
        hasCards: true,
        publicUrl: "http://localhost:8080",
      });
    },
  );

  test("the rates are the charge's own: Nigeria 3, Greece under its own code, every code of the table", async ({
    app,
  }) => {
    const { data } = contract.rates.schema.response[200].parse((await app.inject("/api/rates")).json());
    expect(data).toContainEqual({ country: "Nigeria", code: "234", rate: 3, transactionalRate: 3 });
    expect(data).toContainEqual({ country: "Greece", code: "30", rate: 15.3, transactionalRate: 15.3 });
    expect(data).toContainEqual({ country: "Kenya", code: "254", rate: 5.9, transactionalRate: 5.9 });
    expect(new Set(data.map(({ code }) => code)).size).toBe(144);
  });

  test("security.txt names whom to tell of a hole, and for how long that is true", async ({ app, clock }) => {
    const answer = await app.inject("/.well-known/security.txt");
    expect(answer.headers["content-type"]).toBe("text/plain; charset=utf-8");
    const [, expires = ""] = /^Expires: (.*)$/m.exec(answer.body) ?? [];
    const days = (Date.parse(expires) - clock.now().getTime()) / 86_400_000;
    expect(days).toBeGreaterThan(90);
    expect(days).toBeLessThan(365);
    expect(answer.body).toMatch(/^Contact: mailto:support@ewebal.com$/m);
  });

  test("no page may use what none of ours asks for", async ({ app }) => {
    for (const url of ["/api/brand", "/docs", "/api/nothing-here"]) {
      expect((await app.inject(url)).headers["permissions-policy"], url).toMatch(
        /camera=\(\).*geolocation=\(\).*microphone=\(\)/,
      );
    }
  });

  test("the countries are named once each, in order", async ({ app }) => {
    const { data } = contract.countries.schema.response[200].parse((await app.inject("/api/countries")).json());
    expect(data).toContainEqual({ name: "Ireland", code: "353" });
    expect(new Set(data.map(({ name }) => name)).size).toBe(data.length);
  });
});

describe("asking for help", () => {
  test("a wrong field is named, and nothing is mailed", async ({ ask, mailsTo }) => {
    await eachCase(
      [
        ["userName", ""],
        ["userName", "Ada\r\nBcc: all@example.com"],
        ["userName", 7],
        ["email", ""],
        ["email", "ada@example"],
        ["email", "ada@example.com, all@example.com"],
        ["email", "ada@example.com\r\nBcc: all@example.com"],
        ["email", "ada@example.org"],
        ["subject", "  "],
        ["subject", "Hello\nBcc: all@example.com"],
        ["subject", "x".repeat(151)],
        ["message", " \n "],
        ["message", "x".repeat(5_001)],
        ["message", "a\0b"],
        ["message", ["a"]],
      ],
      async ([field, value]) => {
        const { status, body } = await ask({ ...help, [field as string]: value });
        expect(status).toBe(400);
        expect(body).toMatchObject({
          code: "VALIDATION",
          fields: { [field as string]: expect.stringMatching(/\S/) as string },
        });
        expect(await mailsTo(management)).toEqual([]);
      },
    );
  });

  test("every missing field is named at once", async ({ ask }) => {
    const { body } = await ask({});
    expect(Object.keys(body["fields"] as object)).toEqual(["userName", "email", "subject", "message"]);
  });

  test("another site's form is refused", async ({ ask, mailsTo }) => {
    expect(await ask(help, { origin: "https://elsewhere.example" })).toMatchObject({
      status: 403,
      body: { code: "ORIGIN_REFUSED" },
    });
    expect(await mailsTo(management)).toEqual([]);
  });

  test("management gets the message once, and answers to the writer", async ({ ask, mailsTo }) => {
    expect(await ask({ ...help, email: " Ada@Example.com " })).toMatchObject({
      status: 201,
      body: { message: expect.stringMatching(/\S/) as string },
    });
    const [mail, ...others] = await mailsTo(management);
    expect(others).toEqual([]);
    expect(mail).toMatchObject({ replyTo: "ada@example.com", subject: "Contact form: A question" });
    expect(mail?.text).toContain(
      "From: Ada\nE-mail: ada@example.com\nSubject: A question\n\nHow do I buy units?\nThank you",
    );
  });

  test("markup in a message is shown as text", async ({ ask, mailsTo }) => {
    await ask({ ...help, message: "<b>units</b>" });
    expect((await mailsTo(management))[0]?.html).not.toContain("<b>units");
  });

  test("a signed-in customer may ask too", async ({ ask, db, signInAs }) => {
    expect((await ask(help, await signInAs(await buildUser(db)))).status).toBe(201);
  });

  test("a double click mails once; the same key with other words is refused", async ({ ask, mailsTo }) => {
    const key = { "idempotency-key": "one-form" };
    const answers = await Promise.all([ask(help, key), ask(help, key)]);
    expect(answers.map(({ status }) => status)).toEqual([201, 201]);
    expect(await ask({ ...help, message: "Something else" }, key)).toMatchObject({
      status: 422,
      body: { code: "IDEMPOTENCY_CONFLICT" },
    });
    expect(await mailsTo(management)).toHaveLength(1);
  });

  limited(
    "the sixth message within an hour waits; repeats of one form and refused forms do not count",
    async ({ ask, mailsTo, clock }) => {
      await ask({ ...help, email: "ada@example.org" });
      for (const number of [1, 2, 3, 4, 5]) {
        const clicks = [1, 2].map(() =>
          ask({ ...help, subject: `${number}` }, { "idempotency-key": `form-${number}` }),
        );
        expect((await Promise.all(clicks)).map(({ status }) => status)).toEqual([201, 201]);
      }
      expect(await ask(help)).toMatchObject({ status: 429, body: { code: "RATE_LIMITED" } });
      expect(await mailsTo(management)).toHaveLength(5);
      clock.advance(3_600_000);
      expect((await ask(help)).status).toBe(201);
    },
  );
});

test("a phone finds what it installs: the brand's name, and icons that are there, of the size that they say", async ({
  app,
}) => {
  const answer = await app.inject("/manifest.webmanifest");
  expect([answer.statusCode, answer.headers["content-type"]]).toEqual([
    200,
    "application/manifest+json; charset=utf-8",
  ]);
  const { icons, ...manifest } = answer.json<{ icons: { src: string; sizes: string; purpose: string }[] }>();
  expect(manifest).toMatchObject({ short_name: "Ewebal", start_url: "/user-dashboard", display: "standalone" });
  expect(icons.map(({ purpose }) => purpose)).toEqual(["any", "any", "maskable"]);
  for (const { src, sizes } of icons) {
    const picture = await readFile(new URL(`../../../../web/public${src}`, import.meta.url));
    // Width and height stand in the first part of a PNG.
    expect(`${picture.readUInt32BE(16)}x${picture.readUInt32BE(20)}`, src).toBe(sizes);
  }
});

describe("with EMAIL_RULES=any", () => {
  const relaxed = test.extend({ environment: { MANAGEMENT_EMAIL: management, EMAIL_RULES: "any" } });

  relaxed("any valid address may ask", async ({ ask }) => {
    expect((await ask({ ...help, email: "ada@example.org" })).status).toBe(201);
  });
});
