/** The worker and the report address over real HTTP, with a provider that does what providers do, and worse. */
import { createHmac } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { describe } from "vitest";
import { readCarriers, type HttpCarrierSettings } from "../../../../base/config-readers.ts";
import { test as appTest } from "../../../../testing/app.ts";
import { buildUser } from "../../../../testing/factories.ts";
import { buildMessage } from "../../../../testing/delivery-factories.ts";
import { startDeliveryWorker, type DeliveryWorker } from "../../engine/start-delivery-worker.ts";
import { listRecipients } from "../../lists/list-recipients.ts";
import {
  accept,
  answerJson,
  HttpProvider,
  idOf,
  type OnProviderRequest,
  type ProviderRequest,
} from "../../testing/http-provider.ts";
import { expect, readCounts, readSpent, until, untilCounts } from "../../testing/worker-test.ts";

type Report = Record<string, unknown>;
type Fixtures = {
  startProvider: (onRequest?: OnProviderRequest) => Promise<HttpProvider>;
  startWorker: (...carriers: HttpCarrierSettings[]) => Promise<DeliveryWorker>;
  report: (body: Report | string, facts?: { secret?: string; type?: string }) => Promise<number>;
};

const test = appTest.extend<Fixtures>({
  // eslint-disable-next-line no-empty-pattern -- vitest reads the wanted fixtures from the pattern.
  startProvider: async ({}, use) => {
    const providers: HttpProvider[] = [];
    await use(async (onRequest) => {
      const provider = await new HttpProvider(onRequest).listen();
      providers.push(provider);
      return provider;
    });
    await Promise.all(providers.map((provider) => provider.close()));
  },
  startWorker: async ({ deps, startProvider: _startProvider }, use) => {
    const workers: DeliveryWorker[] = [];
    await use(async (...carriers) => {
      // The web role reads them from the same configuration.
      Object.assign(deps.config, { carriers });
      const worker = await startDeliveryWorker({ ...deps, clock: { now: () => new Date() } }, { carriers });
      workers.push(worker);
      return worker;
    });
    await Promise.all(workers.map((worker) => worker.stop()));
  },
  report: async ({ app }, use) => {
    await use(async (body, { secret = "report-secret-1", type = "application/json" } = {}) => {
      const payload = typeof body === "string" ? body : JSON.stringify(body);
      const headers = { "content-type": type };
      return (await app.inject({ method: "POST", url: `/carrier-reports/${secret}`, headers, payload })).statusCode;
    });
  },
});

const silent: OnProviderRequest = () => undefined;

describe("a message over HTTP", () => {
  test("is sent once over connections that stay open, within window and pace, charged, and reported", async ({
    db,
    deps,
    app,
    startProvider,
    startWorker,
    report,
  }) => {
    const provider = await startProvider(async (request, response, raw) => {
      await sleep(2);
      await accept(request, response, raw);
    });
    await startWorker(provider.settings({ window: 7 }));
    const body = 'Ẹ kú "àárọ̀" {{id}} \\ & <b>\n₦500';
    const message = await buildMessage(db, { recipientCount: 300, body });
    await untilCounts(db, message, { sent: 300 });
    expect(provider.sortedPhoneNos).toEqual(message.phoneNos);
    expect(provider.mostUnderWay).toBeLessThanOrEqual(7);
    expect(provider.connectionCount).toBeLessThanOrEqual(7);
    const [first] = provider.requests;
    expect(first).toMatchObject({
      method: "POST",
      path: "/messages",
      headers: { authorization: "Bearer s3cret-Key", "content-type": "application/json" },
      // What the text says is no place of the template.
      fields: {
        from: "Ewebal",
        text: body,
        reference: expect.stringMatching(`^${message.messageId}-[0-9]+$`) as string,
      },
    });
    expect(await readSpent(db, message.userId)).toEqual({ spentMilli: message.heldMilli, heldMilli: 0 });

    // All at once, some twice, one contradicted afterwards; by both addresses.
    const [one, two, three, ...rest] = message.phoneNos.map(String);
    const reports = [
      ...rest.map((to) => ({ id: idOf(to), status: "DELIVERED" })),
      { id: idOf(one ?? ""), status: "failed" },
      { id: idOf(two ?? ""), status: "blocked" },
      { id: idOf(three ?? ""), status: "queued" },
    ];
    const statuses = await Promise.all([...reports, ...reports.slice(0, 50)].map((each) => report(each)));
    expect(new Set(statuses)).toEqual(new Set([200]));
    await untilCounts(db, message, { sent: 1, delivered: 297, failed: 1, dnd: 1 });
    const late = { method: "POST", url: "/api/carrier-reports/report-secret-1" } as const;
    expect((await app.inject({ ...late, payload: { id: idOf(one ?? ""), status: "delivered" } })).statusCode).toBe(200);
    await report({ id: "of-nobody", status: "delivered" });
    await until("everything that was stored is recorded, or kept as early", async () => {
      const { rows } = await db.query<{ count: number }>("select count(*)::integer as count from carrier_report");
      return rows[0]?.count === 0;
    });
    await untilCounts(db, message, { sent: 1, delivered: 297, failed: 1, dnd: 1 });
    expect(JSON.stringify(deps.logLines)).not.toContain("s3cret-Key");
  });

  test("is reported before its answer is there, and by a form", async ({ db, startProvider, startWorker, report }) => {
    const provider = await startProvider(async (request, response, raw) => {
      const form = new URLSearchParams({ id: idOf(request.fields["to"] ?? ""), status: "delivered" }).toString();
      expect(await report(form, { type: "application/x-www-form-urlencoded" })).toBe(200);
      await sleep(150);
      await accept(request, response, raw);
    });
    await startWorker(provider.settings());
    const message = await buildMessage(db, { recipientCount: 5 });
    await untilCounts(db, message, { delivered: 5 });
  });

  test("that is refused is not charged, and says why", async ({ db, startProvider, startWorker }) => {
    const provider = await startProvider((_request, response) =>
      answerJson(response, 200, { status: "InvalidSenderId" }),
    );
    await startWorker(provider.settings());
    const message = await buildMessage(db, { recipientCount: 2 });
    await untilCounts(db, message, { failed: 2 });
    expect(await readSpent(db, message.userId)).toEqual({ spentMilli: 0, heldMilli: 0 });
    const { rows } = await listRecipients(db, { ...message, limit: 1 });
    expect(rows[0]).toMatchObject({ carrierCode: "HTTP 200 InvalidSenderId" });
  });

  test("goes on when the carrier asked for less or had no time, slower, and each once", async ({
    db,
    startProvider,
    startWorker,
  }) => {
    let count = 0;
    const provider = await startProvider((request, response, raw) => {
      count += 1;
      if (count % 3 === 0) return answerJson(response, 429, {}, { "retry-after": "0" });
      if (count === 4) return answerJson(response, 503, "<html>");
      return accept(request, response, raw);
    });
    await startWorker(provider.settings());
    const message = await buildMessage(db, { recipientCount: 40 });
    await untilCounts(db, message, { sent: 40 });
    const taken = new Set(provider.phoneNos);
    expect(taken).toEqual(new Set(message.phoneNos));
    expect(await readSpent(db, message.userId)).toEqual({ spentMilli: message.heldMilli, heldMilli: 0 });
  });

  const faults: Record<string, OnProviderRequest> = {
    "is never answered": silent,
    "is answered by a cut connection": (_request, _response, raw) => void raw.socket.destroy(),
    "is answered too late": (request, response, raw) => void sleep(900).then(() => accept(request, response, raw)),
    "has an answer that drips": (_request, response) => {
      response.writeHead(200, { "content-type": "application/json" }).write('{"status":');
      const timer = setInterval(() => response.write(" "), 50);
      response.on("close", () => clearInterval(timer));
    },
    "has an answer that breaks off": (_request, response) => {
      response.writeHead(200, { "content-length": "100" }).write('{"status":"accepted"');
      setTimeout(() => response.destroy(), 20);
    },
    "has an answer of 10 MB": (_request, response) =>
      void response.writeHead(200).end(`{"status":"${"x".repeat(1e7)}"}`),
    "has an answer of HTML": (_request, response) => void response.writeHead(200).end("<html>Welcome</html>"),
    "has an answer of another protocol": (_request, _response, raw) => void raw.socket.end("SSH-2.0-OpenSSH_9.9\r\n"),
    "meets a gateway whose own peer failed": (_request, response) => answerJson(response, 502, {}),
  };
  test("whose answer never came whole is unknown, never sent again, and settled by its report", async ({
    db,
    startProvider,
    startWorker,
    report,
  }) => {
    const names = Object.keys(faults);
    const provider = await startProvider((request, response, raw) =>
      faults[names[Number(request.fields["to"]) % 100] ?? ""]?.(request, response, raw),
    );
    await startWorker(provider.settings({ timeoutMs: 500 }));
    const message = await buildMessage(db, { recipientCount: names.length });
    await untilCounts(db, message, { unknown: names.length });
    expect(await readSpent(db, message.userId)).toEqual({ spentMilli: 0, heldMilli: message.heldMilli });
    // Longer than any retry, and than the answer that came too late.
    await sleep(1_000);
    expect(provider.sortedPhoneNos).toEqual(message.phoneNos);
    await report({ id: "unheard-of", status: "delivered", to: `+${message.phoneNos[0]}` });
    await untilCounts(db, message, { unknown: names.length - 1, delivered: 1 });
    expect(await readSpent(db, message.userId)).toEqual({
      spentMilli: message.priceMilli,
      heldMilli: message.heldMilli - message.priceMilli,
    });
  });

  test("goes by another carrier while nobody answers at this one, or it refuses our key, and comes back when it does", async ({
    db,
    deps,
    startProvider,
    startWorker,
  }) => {
    const provider = await startProvider((_request, response) => answerJson(response, 401, {}));
    const other = await startProvider();
    const closed = await startProvider();
    const gone = closed.settings({ name: "gone", prefixes: ["234"] });
    await closed.close();
    await startWorker(
      gone,
      provider.settings({ prefixes: ["234803"], report: undefined }),
      other.settings({ name: "other", prefixes: [], report: undefined }),
    );
    const [abroad, home] = [
      await buildMessage(db, { phoneNos: [2_349_030_000_001, 2_349_030_000_002] }),
      await buildMessage(db, { recipientCount: 5 }),
    ];
    await untilCounts(db, abroad, { sent: 2 });
    await untilCounts(db, home, { sent: 5 });
    expect(other.sortedPhoneNos).toEqual([...home.phoneNos, ...abroad.phoneNos]);
    const told = deps.logLines.filter(({ msg }) => msg === "carrier cannot be used for now");
    expect(told.filter((line) => typeof line["reason"] !== "string")).toEqual([]);
    const ofEach = Map.groupBy(told, (line) => line["carrier"]);
    expect(ofEach.size).toBe(2);
    // On a slow machine a carrier is tried and told of again meanwhile, but never before the pause that was told is over.
    for (const lines of ofEach.values())
      for (const [index, line] of lines.slice(1).entries()) {
        const before = lines[index] ?? {};
        // A timer may end a millisecond early by the clock of the log.
        expect(Number(line["time"]) - Number(before["time"])).toBeGreaterThanOrEqual(Number(before["retryInMs"]) - 1);
      }
    provider.onRequest = accept;
    await until("it is tried again", async () => {
      const message = await buildMessage(db, { recipientCount: 1 });
      await until("it is sent", async () => (await readCounts(db, message)).sent === 1);
      return deps.logLines.some(({ msg }) => msg === "carrier answers again");
    });
  });
});

describe("the report address", () => {
  test("is told apart by its secret alone, and takes what its mapping describes", async ({
    app,
    db,
    startProvider,
    startWorker,
    report,
  }) => {
    const provider = await startProvider();
    await startWorker(provider.settings());
    const good = { id: "1", status: "delivered" };
    expect(await report(good, { secret: "report-secret-2" })).toBe(404);
    expect(await report(good, { secret: "x".repeat(129) })).toBe(404);
    expect(await report(good, { secret: "__proto__" })).toBe(404);
    expect((await app.inject("/carrier-reports/report-secret-1")).statusCode).toBe(404);
    const wrong: [Report | string, string?][] = [
      ["", "text/plain"],
      ["{", "application/json"],
      ["null", "application/json"],
      ["[]", "application/json"],
      ["<xml/>", "application/xml"],
      [{ id: "1" }],
      [{ status: "delivered" }],
      [{ id: { id: "1" }, status: "delivered" }],
      [{ id: "", status: "delivered" }],
      [{ id: "x".repeat(256), status: "delivered" }],
      ['{"__proto__":{"id":"1","status":"delivered"}}'],
      [`[${"[".repeat(5_000)}`],
      ["id=1&status="],
    ];
    for (const [body, type] of wrong)
      expect(await report(body, type === undefined ? {} : { type }), JSON.stringify(body).slice(0, 60)).toBe(400);
    expect(await report({ ...good, more: "x".repeat(600_000) })).toBe(413);
    const odd = { id: "a\0b\ud800", status: "failed", to: "99999999999999999999", from: "x".repeat(999) };
    expect(await report(odd)).toBe(200);
    const { rows } = await db.query<{ count: number }>(
      "select (select count(*) from carrier_report) + (select count(*) from early_report) as count",
    );
    expect(Number(rows[0]?.count)).toBeLessThanOrEqual(1);
  });
});

describe("a carrier that signs its reports", () => {
  const preset = { preset: "termii", secrets: { apiKey: "key-1", secretKey: "sign-1" } } as const;
  const payload = JSON.stringify({ type: "outbound", message_id: "1", status: "DELIVERED", note: "₦" }, undefined, 1);
  const sign = (key: string, text = payload) => createHmac("sha512", key).update(text).digest("hex");

  test("is believed with a right signature over the bytes alone, and without a key by its address", async ({
    app,
    startProvider,
    startWorker,
  }) => {
    const provider = await startProvider();
    const common = { url: `http://127.0.0.1:${provider.port}/api/sms/send`, kind: "http", name: "provider" } as const;
    const read = (facts: object) => {
      const [settings] = readCarriers(JSON.stringify([{ ...common, ...facts }]));
      if (settings?.kind !== "http") throw new Error("a carrier over HTTP was wanted");
      return settings;
    };
    const signed = read({ ...preset, report: { path: "report-secret-1" } });
    const bare = read({ ...preset, name: "bare", secrets: { apiKey: "k" }, report: { path: "report-secret-2" } });
    await startWorker(signed, bare);
    const post = async (signature: string | undefined, text = payload, secret = "report-secret-1") => {
      const headers = {
        "content-type": "application/json",
        ...(signature !== undefined && { "x-termii-signature": signature }),
      };
      return (await app.inject({ method: "POST", url: `/carrier-reports/${secret}`, headers, payload: text }))
        .statusCode;
    };
    for (const wrong of [
      undefined,
      "",
      "zz",
      sign("sign-2"),
      sign("sign-1").slice(2),
      sign("sign-1", payload.trim() + " "),
    ])
      expect(await post(wrong), wrong).toBe(401);
    expect(await post(sign("sign-1"), `${payload} `)).toBe(401);
    await until("a signed report is taken", async () => (await post(sign("sign-1"))) === 200);
    expect(await post(undefined, payload, "report-secret-2")).toBe(200);
    expect(() =>
      read({ ...preset, report: { path: "abcdef", signature: { header: "X-S", algorithm: "sha256", secret: "no" } } }),
    ).toThrow();
  });
});

describe("a message from a phone over HTTP", () => {
  test.for([
    [
      "termii",
      JSON.stringify({
        type: "inbound",
        id: "8248611476370959318",
        message_id: "3905204342778053556",
        receiver: "2348011112222",
        sender: "2348030000001",
        message: "Ẹ ṣé ",
        received_at: "2020-12-16T10:51:03.000000Z",
        status: "Received",
      }),
      "application/json",
    ],
    [
      "africastalking",
      new URLSearchParams({
        date: "2026-11-26 10:00:00",
        from: "+2348030000001",
        id: "b7d2b1e2",
        linkId: "SampleLinkId123",
        text: "Ẹ ṣé",
        to: "2348011112222",
        networkCode: "62130",
      }).toString(),
      "application/x-www-form-urlencoded",
    ],
    [
      "infobip",
      JSON.stringify({
        results: [
          {
            messageId: "817790313235066447",
            from: "2348030000001",
            to: "2348011112222",
            text: "Ẹ ṣé",
            cleanText: "Ẹ ṣé",
            smsCount: 1,
          },
        ],
        messageCount: 1,
        pendingMessageCount: 0,
      }),
      "application/json",
    ],
  ] as const)(
    "by %s comes into the inbox, and is no report",
    async ([preset, payload, type], { app, db, startProvider, startWorker, signInAs }) => {
      const provider = await startProvider();
      const secrets = { apiKey: "key-1", username: "ewebal" };
      const typed = { kind: "http", name: "provider", preset, secrets, report: { path: "report-secret-1" } };
      const [settings] = readCarriers(JSON.stringify([{ ...typed, url: `http://127.0.0.1:${provider.port}/` }]));
      if (settings?.kind !== "http") throw new Error("a carrier over HTTP was wanted");
      await startWorker(settings);
      const user = await buildUser(db);
      await db.query(
        `insert into inbound_number (number_id, number, user_id, created_at) values (gen_random_uuid(), '2348011112222', $1, now())`,
        [user.userId],
      );
      const url = "/carrier-reports/report-secret-1";
      await until(
        "the message is taken",
        async () =>
          (await app.inject({ method: "POST", url, headers: { "content-type": type }, payload })).statusCode === 200,
      );
      const inbox = await app.inject({ url: `/api/${user.userId}/inbox`, headers: await signInAs(user) });
      expect(inbox.json()).toMatchObject({ data: [{ from: "2348030000001", to: "2348011112222", text: "Ẹ ṣé" }] });
      expect((await db.query("select from carrier_report")).rowCount).toBe(0);
    },
  );
});

/** Stand-ins written from what the providers publish; sources in the contract's `http-presets.ts`. A number that ends in 9 is refused, in 8 has no credit once. */
const presets = {
  termii: {
    takes: ({ fields }: ProviderRequest) => {
      expect(fields).toMatchObject({ api_key: "key-1", from: "Ewebal", type: "plain", channel: "generic" });
      return [fields["to"], fields["sms"]];
    },
    accepts: (to: string) => ({
      code: "ok",
      balance: 9,
      message_id: `30175440${to}`,
      message: "Successfully Sent",
      user: "A",
    }),
    acceptedStatus: 200,
    refuses: { status: 400, body: { code: 400, message: "ApplicationSenderId not found", status: "error" } },
    noCredit: { status: 400, body: { code: 400, message: "Insufficient balance", status: "error" } },
    reports: (to: string, word: string) =>
      JSON.stringify({
        type: "outbound",
        id: "r",
        message_id: `30175440${to}`,
        receiver: to,
        sender: "Ewebal",
        status: word,
        channel: "generic",
      }),
    words: {
      delivered: "DELIVERED | Message delivered to handset",
      failed: "Message Failed",
      dnd: "DND Active on Phone Number",
      sent: "Message Sent",
    },
  },
  africastalking: {
    takes: ({ fields, headers, path }: ProviderRequest) => {
      expect([fields["username"], fields["from"], headers["apikey"], path]).toEqual([
        "shop",
        "Ewebal",
        "key-1",
        "/version1/messaging",
      ]);
      expect(fields["to"]).toMatch(/^\+234/);
      return [fields["to"]?.slice(1), fields["message"]];
    },
    accepts: (to: string) =>
      recipientsOf({ statusCode: 101, number: `+${to}`, status: "Success", cost: "NGN 2.2", messageId: `ATXid_${to}` }),
    acceptedStatus: 201,
    refuses: {
      status: 201,
      body: recipientsOf({
        statusCode: 403,
        number: "+2348",
        status: "InvalidPhoneNumber",
        cost: "0",
        messageId: "None",
      }),
    },
    noCredit: {
      status: 201,
      body: recipientsOf({
        statusCode: 405,
        number: "+2348",
        status: "InsufficientBalance",
        cost: "0",
        messageId: "None",
      }),
    },
    reports: (to: string, word: string) => {
      const [status = "", failureReason] = word.split("/");
      return new URLSearchParams({
        id: `ATXid_${to}`,
        status,
        phoneNumber: `+${to}`,
        networkCode: "62130",
        retryCount: "0",
        ...(failureReason && { failureReason }),
      }).toString();
    },
    words: {
      delivered: "Success",
      failed: "Failed/UserDoesNotExist",
      dnd: "Rejected/DoNotDisturbRejection",
      sent: "Buffered",
    },
  },
  infobip: {
    takes: ({ body, headers, path }: ProviderRequest) => {
      expect([headers.authorization, path]).toEqual(["App key-1", "/sms/3/messages"]);
      const { messages } = JSON.parse(body) as {
        messages: { sender: string; destinations: { to: string; messageId: string }[]; content: { text: string } }[];
      };
      const [message] = messages;
      return [message?.destinations[0]?.to, message?.content.text];
    },
    accepts: (to: string) => ({
      bulkId: "b",
      messages: [
        {
          messageId: `m-${to}`,
          status: { groupId: 1, groupName: "PENDING", id: 26, name: "PENDING_ACCEPTED" },
          destination: to,
        },
      ],
    }),
    acceptedStatus: 200,
    refuses: {
      status: 200,
      body: {
        messages: [
          { messageId: "m", status: { groupId: 5, groupName: "REJECTED", id: 12, name: "REJECTED_NOT_ENOUGH_PREFIX" } },
        ],
      },
    },
    noCredit: {
      status: 200,
      body: {
        messages: [
          { messageId: "m", status: { groupId: 5, groupName: "REJECTED", name: "REJECTED_NOT_ENOUGH_CREDITS" } },
        ],
      },
    },
    reports: (to: string, word: string) => {
      const [groupName = "", name = groupName] = word.split("/");
      const error = { groupName: "OK", name: groupName === "DELIVERED" ? "NO_ERROR" : "EC_ABSENT_SUBSCRIBER" };
      return JSON.stringify({
        results: [{ bulkId: "b", messageId: `m-${to}`, to, status: { groupName, name }, error, smsCount: 1 }],
      });
    },
    words: {
      delivered: "DELIVERED/DELIVERED_TO_HANDSET",
      failed: "UNDELIVERABLE/UNDELIVERABLE_NOT_DELIVERED",
      dnd: undefined,
      sent: "DELIVERED/DELIVERED_TO_OPERATOR",
    },
  },
} as const;

function recipientsOf(recipient: object): object {
  return { SMSMessageData: { Message: "Sent to 1/1", Recipients: [recipient] } };
}

test.for(Object.keys(presets) as (keyof typeof presets)[])(
  "%s: what it publishes is what we send, and what it answers and reports is understood",
  async (name, { db, startProvider, startWorker, report }) => {
    const { takes, accepts, acceptedStatus, refuses, noCredit, reports, words } = presets[name];
    let wasPoor = false;
    const provider = await startProvider((request, response) => {
      const [to = "", text] = takes(request);
      expect(text).toBe('Good "morning" & more');
      if (to.endsWith("9")) return answerJson(response, refuses.status, refuses.body);
      if (to.endsWith("8") && !wasPoor) {
        wasPoor = true;
        return answerJson(response, noCredit.status, noCredit.body);
      }
      return answerJson(response, acceptedStatus, accepts(to));
    });
    const [settings] = readCarriers(
      JSON.stringify([
        {
          kind: "http",
          name,
          preset: name,
          url: `http://127.0.0.1:${provider.port}`,
          secrets: { apiKey: "key-1", ...(name === "africastalking" && { username: "shop" }) },
          report: { path: "report-secret-1" },
        },
      ]),
    );
    await startWorker(settings as HttpCarrierSettings);
    const phoneNos = [1, 2, 3, 4, 8, 9].map((end) => 2_348_030_000_000 + end);
    const message = await buildMessage(db, { phoneNos, body: 'Good "morning" & more' });
    await untilCounts(db, message, { sent: 5, failed: 1 });
    const type = name === "africastalking" ? "application/x-www-form-urlencoded" : "application/json";
    const told = [words.delivered, words.failed, words.dnd, words.sent];
    for (const [index, word] of told.entries())
      if (word !== undefined) expect(await report(reports(String(phoneNos[index]), word), { type })).toBe(200);
    const dnd = words.dnd === undefined ? 0 : 1;
    await untilCounts(db, message, { sent: 3 - dnd, delivered: 1, failed: 2, ...(dnd === 1 && { dnd }) });
    const { rows } = await listRecipients(db, { ...message, limit: 6 });
    expect(rows.find(({ phoneNo }) => phoneNo === phoneNos[1])?.reason).toMatch(/\S/);
  },
);
