import { readdir, readFile, stat } from "node:fs/promises";
import { once } from "node:events";
import { join } from "node:path";
import PostalMime from "postal-mime";
import { SMTPServer } from "smtp-server";
import { describe } from "vitest";
import { withTransaction } from "../db/transaction.ts";
import { expect, test as base } from "../testing/app.ts";
import { type MailContent, renderMail, writeMail } from "./render-mail.ts";
import { mailboxRoutes } from "./mailbox-routes.ts";
import { deleteMailsBefore } from "./mail-store.ts";
import { sendMail } from "./send-mail.ts";
type ReceivedMail = { recipients: string[]; raw: string };

type Fixtures = {
  /** Writes a mail and gives its id. */
  write: (content?: Partial<MailContent>) => Promise<string>;
  /** A real mail server on loopback; `refuse` makes it answer 451. */
  smtp: { url: string; received: ReceivedMail[]; refuse: (isRefusing: boolean) => void };
};

const test = base.extend<Fixtures>({
  write: async ({ deps }, use) => {
    await use(async (content) => {
      await withTransaction(deps.db, async (tx) => {
        await writeMail(deps, tx, {
          recipient: "ada@example.com",
          subject: "Verify your email",
          blocks: [{ kind: "text", text: "Hello." }],
          ...content,
        });
      });
      return deps.jobs.enqueued.at(-1)?.ids["mailId"] ?? "";
    });
  },
  // eslint-disable-next-line no-empty-pattern -- vitest reads the wanted fixtures from the pattern.
  smtp: async ({}, use) => {
    const received: ReceivedMail[] = [];
    let isRefusing = false;
    const server = new SMTPServer({
      authOptional: true,
      disabledCommands: ["STARTTLS"],
      onData: (stream, session, done) => {
        const chunks: Buffer[] = [];
        stream.on("data", (chunk: Buffer) => chunks.push(chunk));
        stream.on("end", () => {
          if (isRefusing) return done(Object.assign(new Error("try later"), { responseCode: 451 }));
          received.push({
            recipients: session.envelope.rcptTo.map(({ address }) => address),
            raw: Buffer.concat(chunks).toString("latin1"),
          });
          done();
        });
      },
    });
    server.listen(0, "127.0.0.1");
    await once(server.server, "listening");
    const address = server.server.address();
    const port = address !== null && typeof address === "object" ? address.port : 0;
    await use({ url: `smtp://127.0.0.1:${port}`, received, refuse: (value) => void (isRefusing = value) });
    await new Promise<void>((done) => server.close(() => done()));
  },
});

describe("refusals", () => {
  test("a recipient that is not one plain address", async ({ db, write }) => {
    for (const recipient of [
      "a@b.com\r\nBcc: c@d.com",
      "a@b.com, c@d.com",
      "Ada <a@b.com>",
      "a@b.com;c@d.com",
      "",
      "a b@c.com",
    ]) {
      await expect(write({ recipient })).rejects.toThrow("A mail needs plain addresses");
      await expect(write({ replyTo: recipient })).rejects.toThrow("A mail needs plain addresses");
    }
    expect((await db.query("select from mail")).rowCount).toBe(0);
  });

  test("line ends in a subject or a name begin no header and no recipient", async ({ deps, smtp, write }) => {
    const mailId = await write({
      subject: "Hello\r\nBcc: eve@example.com\u2028X: y",
      greetingName: "Ada\r\n\r\n<script>alert(1)</script>",
    });
    await sendMail(
      { ...deps, config: { ...deps.config, mailServer: { url: smtp.url, tls: "offered" } as const } },
      mailId,
    );
    const [mail] = smtp.received;
    expect(mail?.recipients).toEqual(["ada@example.com"]);
    const parsed = await PostalMime.parse(mail?.raw ?? "");
    expect(parsed.subject).toBe("Hello Bcc: eve@example.com X: y");
    expect(parsed.bcc).toBeUndefined();
    expect(parsed.html).not.toContain("<script>");
    expect(parsed.text).toContain("Hello Ada script alert 1 script,");
  });

  test.for([
    ["customer, your account is locked. Restore it: https://evil.example/x", "Hello customer your account is locke…,"],
    ["www.evil.example", "Hello www evil example,"],
    ["evil.example/x", "Hello evil example x,"],
    ["mail@evil.example", "Hello mail evil example,"],
    ["Chukwuemeka Oluwaseun-O’Neil", "Hello Chukwuemeka Oluwaseun-O’Neil,"],
    ["Zoë Ọláolúwa", "Hello Zoë Ọláolúwa,"],
    ["😀".repeat(40), "Hello,"],
    ["://", "Hello,"],
  ] as const)("a name %j says no more than a name, and leads nowhere", ([greetingName, greeting], { deps }) => {
    const { text, html } = renderMail(deps.config, { recipient: "a@b.com", subject: "x", greetingName, blocks: [] });
    expect(text.split("\n")[0]).toBe(greeting);
    expect(html).toContain(`>${greeting}<`);
  });
});

test("a mail of a transaction that is rolled back never exists", async ({ db, deps }) => {
  await expect(
    withTransaction(db, async (tx) => {
      await writeMail(deps, tx, { recipient: "ada@example.com", subject: "x", blocks: [] });
      throw new Error("the work failed");
    }),
  ).rejects.toThrow("the work failed");
  expect((await db.query("select from mail")).rowCount).toBe(0);
});

test("without a mail server it is kept as a readable file, whole, for the owner alone, once", async ({
  db,
  deps,
  write,
}) => {
  const link = `/${"k".repeat(43)}/verify-user`;
  const mailId = await write({
    greetingName: "Ada",
    subject: "Verify your email ✓",
    blocks: [
      { kind: "text", text: "Welcome." },
      { kind: "action", label: "Verify my email", path: link },
      { kind: "code", code: "0412" },
      { kind: "facts", rows: [["Units", "1,000.00"]] },
    ],
  });
  await sendMail(deps, mailId);
  await sendMail(deps, mailId); // A job may run twice.

  const folder = join(deps.config.dataDir, "mailbox");
  const [name, ...others] = await readdir(folder);
  expect(others).toEqual([]);
  expect((await stat(folder)).mode & 0o777).toBe(0o700);
  expect((await stat(join(folder, name ?? ""))).mode & 0o777).toBe(0o600);
  const raw = await readFile(join(folder, name ?? ""), "latin1");
  const mail = await PostalMime.parse(raw);
  expect(mail).toMatchObject({
    subject: "Verify your email ✓",
    from: { address: "no-reply@ewebal.com" },
    to: [{ address: "ada@example.com" }],
  });
  expect(mail.text?.split(/\r?\n/)).toEqual(
    expect.arrayContaining(["Hello Ada,", `http://localhost:8080${link}`, "0412", "Units: 1,000.00"]),
  );
  expect(mail.html).toContain(`href="http://localhost:8080${link}"`);
  // Long links stay whole in the raw file too.
  expect(raw).toContain(`\r\nhttp://localhost:8080${link}\r\n`);

  const { rows } = await db.query("select attempts, sent_at, text_body, html_body from mail");
  expect(rows).toEqual([{ attempts: 1, sent_at: deps.clock.now(), text_body: null, html_body: null }]);
});

test("a mail server that refuses is tried again with the same Message-ID, for 72 hours and no longer", async ({
  db,
  deps,
  clock,
  smtp,
  write,
}) => {
  const sending = { ...deps, config: { ...deps.config, mailServer: { url: smtp.url, tls: "offered" } as const } };
  const [first, second] = [await write(), await write()];
  smtp.refuse(true);
  await expect(sendMail(sending, first)).rejects.toThrow("try later");
  clock.advance(72 * 3_600_000);
  await expect(sendMail(sending, first)).rejects.toThrow("try later");
  smtp.refuse(false);
  await sendMail(sending, first);
  expect(smtp.received).toHaveLength(1);
  expect(smtp.received[0]?.raw).toContain(`Message-ID: <${first}@localhost>`);

  clock.advance(1);
  await sendMail(sending, second);
  expect(smtp.received).toHaveLength(1);
  const { rows } = await db.query(
    "select attempts, sent_at is not null as sent, given_up_at is not null as given_up, text_body from mail order by mail_id",
  );
  expect(rows).toEqual([
    { attempts: 3, sent: true, given_up: false, text_body: null },
    { attempts: 1, sent: false, given_up: true, text_body: null },
  ]);
});

test("a mail server that is not there is an error for the job, and the mail stays", async ({ db, deps, write }) => {
  const mailId = await write();
  await expect(
    sendMail(
      { ...deps, config: { ...deps.config, mailServer: { url: "smtp://127.0.0.1:1", tls: "offered" } } },
      mailId,
    ),
  ).rejects.toThrow("ECONNREFUSED");
  expect((await db.query("select from mail where sent_at is null and text_body is not null")).rowCount).toBe(1);
});

test("a mail server that offers no TLS gets nothing where it is required", async ({ deps, smtp, write }) => {
  const required = { ...deps, config: { ...deps.config, mailServer: { url: smtp.url, tls: "required" } as const } };
  await expect(sendMail(required, await write())).rejects.toThrow("STARTTLS");
  expect(smtp.received).toEqual([]);
  await sendMail({ ...deps, config: { ...deps.config, mailServer: { url: smtp.url, tls: "off" } } }, await write());
  expect(smtp.received).toHaveLength(1);
});

test("old mails are forgotten once they are sent, unsent ones never", async ({ db, deps, write }) => {
  const sent = await write();
  await write();
  await sendMail(deps, sent);
  expect(await deleteMailsBefore(db, new Date(deps.clock.now().getTime() + 1))).toBe(1);
  expect((await db.query("select from mail where sent_at is null")).rowCount).toBe(1);
});

describe("/mailbox", () => {
  const local = { host: "localhost:8080" };

  test("is there for this machine only", async ({ app }) => {
    const statusFor = async (headers: Record<string, string>, remoteAddress = "127.0.0.1"): Promise<number> =>
      (await app.inject({ method: "GET", url: "/mailbox", headers, remoteAddress })).statusCode;
    expect(await statusFor(local)).toBe(200);
    expect(await statusFor({ host: "[::1]:8080" }, "::1")).toBe(200);
    expect(await statusFor({ host: "127.0.0.1:8080" }, "::ffff:127.0.0.1")).toBe(200);
    expect(await statusFor(local, "192.0.2.7")).toBe(404);
    expect(await statusFor({ ...local, "x-forwarded-for": "127.0.0.1" })).toBe(404);
    expect(await statusFor({ ...local, forwarded: "for=127.0.0.1" })).toBe(404);
    expect(await statusFor({ host: "rebound.example.com:8080" })).toBe(404);
    expect(await statusFor({ host: "127.0.0.1.example.com" })).toBe(404);
  });

  test("is not there when a mail server is set or mails may not be kept, which sends none either", async ({
    deps,
    write,
  }) => {
    let routes = 0;
    const app = { get: () => void (routes += 1) } as unknown as Parameters<typeof mailboxRoutes>[0];
    mailboxRoutes(
      app,
      { config: { ...deps.config, mailServer: { url: "smtp://127.0.0.1:25", tls: "offered" } } },
      () => true,
    );
    const closed = { ...deps, config: { ...deps.config, trialParts: new Set<never>() } };
    mailboxRoutes(app, closed, () => true);
    expect(routes).toBe(0);
    await expect(sendMail(closed, await write({}))).rejects.toThrow("no mail server");
    mailboxRoutes(app, deps, () => true);
    expect(routes).toBe(1);
  });

  test("says so when there are no mails", async ({ app }) => {
    const { body } = await app.inject({ method: "GET", url: "/mailbox", headers: local });
    expect(body).toContain("No mails yet");
  });

  test("shows the newest first, our links as links, and everything else as text", async ({
    app,
    clock,
    deps,
    write,
  }) => {
    await sendMail(deps, await write({ subject: "The older <b>one</b> ₦" }));
    clock.advance(60_000);
    await sendMail(
      deps,
      await write({
        subject: "The newer one",
        blocks: [
          { kind: "action", label: "Verify my email", path: "/abc/verify-user" },
          {
            kind: "text",
            text: `See https://elsewhere.example.com/x and "http://localhost:8080.evil.example/y" <img src=x onerror=alert(1)>`,
          },
        ],
      }),
    );
    const { body, headers } = await app.inject({ method: "GET", url: "/mailbox", headers: local });
    expect(body.indexOf("The newer one")).toBeLessThan(body.indexOf("The older &#60;b&#62;one&#60;/b&#62; ₦"));
    expect(body.match(/<a href="[^"]*"/g)).toEqual([`<a href="http://localhost:8080/abc/verify-user"`]);
    expect(body).not.toMatch(/<img|<script/);
    expect(headers["cache-control"]).toBe("no-store");
    expect(headers["content-security-policy"]).toContain("default-src 'self'");
  });
});
