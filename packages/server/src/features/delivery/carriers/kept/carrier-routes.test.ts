import { randomBytes } from "node:crypto";
import { carrierRoutes as contract, type AddCarrierBody } from "@ewebal/contract";
import { v7 as uuidv7 } from "uuid";
import { describe } from "vitest";
import type { App } from "../../../../http/app-type.ts";
import { eachCase, expect, test as base } from "../../../../testing/app.ts";
import { buildMessage, testPhoneNos } from "../../../../testing/delivery-factories.ts";
import { buildAdmin, buildUser, type BuiltAdmin } from "../../../../testing/factories.ts";
import { readKeptCarriersForTests } from "../../testing/read-kept-carriers-for-tests.ts";
import { createSendingReader } from "./view-carriers.ts";
import { answerJson, HttpProvider } from "../../testing/http-provider.ts";
import { SmppPeer } from "../../testing/smpp-peer.ts";

type Answer = {
  status: number;
  body: { message: string; code?: string; fields?: Record<string, string>; data: { _id: string; isBound?: boolean } };
};
type Call = (method: "GET" | "POST" | "PATCH" | "DELETE", path: string, payload?: unknown) => Promise<Answer>;

const test = base.extend<{ admin: BuiltAdmin; headers: { authorization: string }; call: Call }>({
  admin: async ({ db }, use) => await use(await buildAdmin(db)),
  headers: async ({ admin, signInAs }, use) => await use(await signInAs(admin)),
  call: async ({ app, admin, headers }, use) => {
    await use(async (method, path, payload) => {
      const response = await app.inject({
        method,
        url: `/api/${path.replace(":me", admin.adminId)}`,
        headers,
        ...(payload !== undefined && { payload: payload as object }),
      });
      return { status: response.statusCode, body: response.json<Answer["body"]>() };
    });
  },
});

const carrier: AddCarrierBody = {
  name: "Acme Telecom",
  host: "127.0.0.1",
  port: 2775,
  systemId: "acme",
  password: "s3cret-Pa55",
  systemType: "",
  tls: false,
  binds: 2,
  window: 10,
  messagesPerSecond: 50,
  prefixes: ["234"],
  weight: 1,
  priority: 0,
  receiptIds: "asIs",
  longMessages: "udh8",
  dndErrorCodes: [],
  classes: ["promotional", "transactional"],
  reachesDnd: false,
};
const { name: _name, ...fields } = carrier;

async function view(app: App, headers: Record<string, string>) {
  return contract.viewCarriers.schema.response[200].parse(
    (await app.inject({ url: "/api/view-carriers", headers })).json(),
  ).data;
}

describe("who may", () => {
  test("visitors, customers and other administrators' ids are refused, and nothing changes", async ({
    app,
    db,
    admin,
    headers,
    signInAs,
    call,
  }) => {
    const { body } = await call("POST", ":me/add-carrier", carrier);
    const user = await buildUser(db);
    const customer = await signInAs(user);
    const other = await buildAdmin(db);
    const path = `/api/${admin.adminId}/${body.data._id}`;
    const calls = [
      ["POST", `/api/${admin.adminId}/add-carrier`, { ...carrier, name: "Other" }],
      ["PATCH", `${path}/edit-carrier`, fields],
      ["PATCH", `${path}/switch-carrier`, { isEnabled: false }],
      ["DELETE", `${path}/remove-carrier`, undefined],
      [
        "POST",
        `/api/${admin.adminId}/test-carrier`,
        { host: "127.0.0.1", port: 1, systemId: "a", password: "b", systemType: "", tls: false },
      ],
    ] as const;
    for (const [method, url, payload] of calls) {
      const tryAs = async (theirs: Record<string, string>, address: string = url) =>
        (await app.inject({ method, url: address, headers: theirs, ...(payload !== undefined && { payload }) }))
          .statusCode;
      expect(
        [await tryAs({}), await tryAs(customer), await tryAs(headers, url.replace(admin.adminId, other.adminId))],
        url,
      ).toEqual([401, 403, 403]);
    }
    expect((await app.inject("/api/view-carriers")).statusCode).toBe(401);
    expect((await app.inject({ url: "/api/view-carriers", headers: customer })).statusCode).toBe(403);
    expect(await view(app, headers)).toMatchObject([{ name: "Acme Telecom", isEnabled: true }]);
  });
});

describe("adding", () => {
  test("a wrong field is named, and no carrier is added", async ({ call, app, headers }) => {
    await eachCase(
      [
        ["name", { name: "" }],
        ["name", { name: "Simulator" }],
        ["name", { name: "Acme\nTelecom" }],
        ["host", { host: "http://acme.example" }],
        ["host", { host: "0.0.0.0" }],
        ["host", { host: "169.254.169.254" }],
        ["host", { host: "999.1.1.1" }],
        ["host", { host: "a b" }],
        ["port", { port: 0 }],
        ["port", { port: 65_536 }],
        ["systemId", { systemId: "" }],
        ["systemId", { systemId: "x".repeat(16) }],
        ["password", { password: "" }],
        ["password", { password: "päss" }],
        ["binds", { binds: 17 }],
        ["window", { window: 0 }],
        ["messagesPerSecond", { messagesPerSecond: 0 }],
        ["weight", { weight: -1 }],
        ["priority", { priority: 1.5 }],
        ["tls", { tls: "yes" }],
        ["receiptIds", { receiptIds: "hex" }],
      ] as const,
      async ([field, wrong]) => {
        const { status, body } = await call("POST", ":me/add-carrier", { ...carrier, ...wrong });
        expect(status).toBe(400);
        expect(body).toMatchObject({ code: "VALIDATION", fields: { [field]: expect.stringMatching(/\S/) as string } });
        expect(await view(app, headers)).toMatchObject([{ source: "simulator" }]);
      },
    );
  });

  test("a name is taken once", async ({ call }) => {
    expect((await call("POST", ":me/add-carrier", carrier)).status).toBe(201);
    expect(await call("POST", ":me/add-carrier", carrier)).toMatchObject({
      status: 400,
      body: { fields: { name: "is the name of another carrier" } },
    });
  });

  test("the password is in no answer, no audit entry and no row of the database", async ({
    call,
    app,
    db,
    headers,
  }) => {
    const { body } = await call("POST", ":me/add-carrier", carrier);
    await call("PATCH", `:me/${body.data._id}/edit-carrier`, { ...fields, password: "an0ther-Pa55" });
    const answer = await app.inject({ url: "/api/view-carriers", headers });
    const { rows } = await db.query<{ text: string }>(
      "select (select json_agg(kept_carrier) from kept_carrier)::text || (select json_agg(audit_entry) from audit_entry)::text as text",
    );
    const dump = `${rows[0]?.text} ${answer.body}`;
    for (const password of [carrier.password, "an0ther-Pa55"]) {
      expect(dump).not.toContain(password);
      expect(dump).not.toContain(Buffer.from(password).toString("hex"));
    }
    expect(dump).toContain('"password": "changed"');
  });

  test("a password under another key cannot be read, and the page says so", async ({ call, app, headers, deps }) => {
    await call("POST", ":me/add-carrier", carrier);
    expect((await readKeptCarriersForTests(deps))[0]?.password).toBe(carrier.password);
    deps.config.secretsKey = randomBytes(32);
    expect((await readKeptCarriersForTests(deps))[0]?.password).toBeUndefined();
    expect(await view(app, headers)).toMatchObject([{ isLocked: true }]);
  });

  test("the simulator is listed while there is no carrier, and no longer afterwards", async ({
    call,
    app,
    headers,
  }) => {
    const isSimulated = async () =>
      (await app.inject("/api/brand")).json<{ data: { isSimulated: boolean } }>().data.isSimulated;
    expect([await isSimulated(), (await view(app, headers)).map(({ name }) => name)]).toEqual([true, ["Simulator"]]);
    const { body } = await call("POST", ":me/add-carrier", carrier);
    expect([await isSimulated(), (await view(app, headers)).map(({ name }) => name)]).toEqual([
      false,
      ["Acme Telecom"],
    ]);
    await call("PATCH", `:me/${body.data._id}/switch-carrier`, { isEnabled: false });
    expect(await isSimulated()).toBe(false);
    await call("DELETE", `:me/${body.data._id}/remove-carrier`);
    expect(await isSimulated()).toBe(true);
  });

  test("where the simulator may not stand in, nobody carries when the last carrier is removed", async ({
    call,
    app,
    headers,
    deps,
  }) => {
    deps.config.trialParts = new Set(["card", "mailbox", "demo"]);
    const { body } = await call("POST", ":me/add-carrier", carrier);
    await call("DELETE", `:me/${body.data._id}/remove-carrier`);
    expect(await view(app, headers)).toEqual([]);
    expect((await app.inject("/api/brand")).json()).toMatchObject({ data: { isSimulated: false } });
  });
});

describe("changing", () => {
  test("an empty password keeps the stored one, but not for another place", async ({ call, deps }) => {
    const { body } = await call("POST", ":me/add-carrier", carrier);
    const edit = async (changes: object) =>
      await call("PATCH", `:me/${body.data._id}/edit-carrier`, { ...fields, password: "", ...changes });
    expect(await edit({ prefixes: ["2348", "2347"], weight: 3 })).toMatchObject({ status: 200 });
    expect((await readKeptCarriersForTests(deps))[0]).toMatchObject({
      password: carrier.password,
      prefixes: ["2348", "2347"],
    });
    for (const elsewhere of [{ host: "thief.example" }, { port: 2776 }, { systemId: "other" }, { tls: true }]) {
      expect(await edit(elsewhere)).toMatchObject({
        status: 400,
        body: { fields: { password: expect.stringMatching(/entered again/) as string } },
      });
    }
    expect(await edit({ host: "smpp.acme.example", password: "new" })).toMatchObject({ status: 200 });
    expect((await readKeptCarriersForTests(deps))[0]).toMatchObject({ password: "new", host: "smpp.acme.example" });
  });

  test("unknown carriers are 404; switching twice and removing twice do it once; each leaves its audit row", async ({
    call,
    db,
  }) => {
    const { body } = await call("POST", ":me/add-carrier", carrier);
    const id = body.data._id;
    for (const path of [`:me/${uuidv7()}/edit-carrier`, `:me/${uuidv7()}/switch-carrier`]) {
      expect((await call("PATCH", path, path.endsWith("edit-carrier") ? fields : { isEnabled: false })).status).toBe(
        404,
      );
    }
    const off = await Promise.all([1, 2].map(() => call("PATCH", `:me/${id}/switch-carrier`, { isEnabled: false })));
    expect(off.map(({ status }) => String(status)).toSorted()).toEqual(["200", "409"]);
    const gone = await Promise.all([1, 2].map(() => call("DELETE", `:me/${id}/remove-carrier`)));
    expect(gone.map(({ status }) => String(status)).toSorted()).toEqual(["200", "404"]);
    const { rows } = await db.query<{ action: string }>("select action from audit_entry order by audit_id");
    expect(rows.map(({ action }) => action)).toEqual(["add-carrier", "switch-carrier", "remove-carrier"]);
  });
});

describe("testing", () => {
  test("the stored password serves its own place only, and the test is in the audit", async ({ call, db }) => {
    const peer = await new SmppPeer().listen();
    const { body } = await call("POST", ":me/add-carrier", { ...carrier, port: peer.port });
    const place = {
      host: carrier.host,
      port: peer.port,
      systemId: carrier.systemId,
      password: "",
      systemType: "",
      tls: false,
    };
    const tryBind = async (changes: object) => await call("POST", ":me/test-carrier", { ...place, ...changes });
    expect(await tryBind({})).toMatchObject({ status: 400, body: { fields: { password: "is required" } } });
    expect(await tryBind({ carrierId: body.data._id, host: "localhost" })).toMatchObject({ status: 400 });
    expect(await tryBind({ carrierId: body.data._id })).toMatchObject({
      status: 200,
      body: { data: { isBound: true } },
    });
    const { rows } = await db.query<{ after: object }>("select after from audit_entry where action = 'test-carrier'");
    expect(rows).toEqual([{ after: { host: carrier.host, port: peer.port, systemId: "acme", tls: false } }]);
    await peer.close();
  });
});

describe("what is on its way now", () => {
  test("is for administrators: the recipients that wait, and each carrier's health without its connection", async ({
    app,
    db,
    deps,
    call,
    headers,
    signInAs,
  }) => {
    expect((await app.inject("/api/view-sending")).statusCode).toBe(401);
    const customer = await signInAs(await buildUser(db));
    expect((await app.inject({ url: "/api/view-sending", headers: customer })).statusCode).toBe(403);
    await call("POST", ":me/add-carrier", carrier);
    await buildMessage(db, { recipientCount: 700 });
    await buildMessage(db, { recipientCount: 4, dndPhoneNos: [testPhoneNos(1)[0] ?? 0] });
    // Not started, and over: neither waits for a carrier.
    await buildMessage(db, { sendAt: new Date(Date.now() + 3_600_000), timeZone: "Africa/Lagos" });
    const over = await buildMessage(db);
    await db.query("update message_batch set state = 3 where message_id = $1", [over.messageId]);
    await db.query(
      `insert into process_heartbeat (process_id, roles, started_at, seen_at, host, disk_free_percent)
       values (gen_random_uuid(), '{worker}', now(), now(), 'one', 40), (gen_random_uuid(), '{web}', now(), now(), 'two', 50),
         (gen_random_uuid(), '{worker}', now(), now() - interval '1 minute', 'gone', 50)`,
    );
    const answer = await app.inject({ url: "/api/view-sending", headers });
    const { data } = contract.viewSending.schema.response[200].parse(answer.json());
    expect(data).toMatchObject({
      waitingRecipients: 703,
      waitingSince: expect.any(String) as string,
      workers: [{ host: "one", diskFreePercent: 40 }],
      carriers: [{ name: "Acme Telecom", messagesPerSecond: 50, health: { link: "idle" } }],
    });
    expect(answer.body).not.toContain("127.0.0.1");
    expect(await createSendingReader(deps)()).toMatchObject({ waitingRecipients: 703 });
  });
});

describe("over HTTP", () => {
  const overHttp = {
    kind: "http",
    name: "Provider",
    url: "http://127.0.0.1:9/messages?token=in-the-address",
    headers: { Authorization: "Bearer {{apiKey}}" },
    secrets: { apiKey: "s3cret-Key" },
    body: '{"to":"{{to}}","from":"{{from}}","text":"{{text}}","pin":"in-the-body"}',
    success: { status: 200, path: "status", equals: "accepted" },
    idPath: "id",
    report: { path: "report-secret-1", idPath: "id", statePath: "status", states: { delivered: "delivered" } },
  } as const;
  const SECRETS = /s3cret-Key|in-the-address|in-the-body|report-secret-1/;
  const { name: _httpName, ...httpFields } = overHttp;

  test("a wrong field of a carrier over HTTP is named, and no carrier is added", async ({ call, app, headers }) => {
    await eachCase(
      [
        ["kind", { kind: "sms" }],
        ["url", { url: "http://169.254.169.254/" }],
        ["url", { url: "http://2130706433.0.0.1/" }],
        ["url", { url: "http://sms.example.com/" }],
        ["url", { url: "file:///etc/passwd" }],
        ["body", { body: '{"text":"{{text}}"}' }],
        ["success.path", { success: { path: "a..b" } }],
        ["preset", { preset: "nobody" }],
        ["report.path", { report: { ...overHttp.report, path: "short" } }],
        ["name", { name: "Simulator" }],
        ["window", { window: 0 }],
      ] as const,
      async ([field, wrong]) => {
        const { status, body } = await call("POST", ":me/add-carrier", { ...overHttp, ...wrong });
        expect([status, body.code]).toEqual([400, "VALIDATION"]);
        expect(Object.keys(body.fields ?? {})).toContain(field);
        expect(await view(app, headers)).toMatchObject([{ source: "simulator" }]);
      },
    );
  });

  test("what it is spoken to with is sealed, and never shown or logged; names and report addresses are taken once", async ({
    app,
    db,
    deps,
    headers,
    call,
  }) => {
    expect((await call("POST", ":me/add-carrier", carrier)).status).toBe(201);
    const added = await call("POST", ":me/add-carrier", overHttp);
    expect(added.status).toBe(201);
    const again = { ...overHttp, report: { ...overHttp.report, path: "report-secret-2" } };
    expect((await call("POST", ":me/add-carrier", again)).body.fields).toHaveProperty("name");
    expect((await call("POST", ":me/add-carrier", { ...overHttp, name: carrier.name })).body.fields).toHaveProperty(
      "name",
    );
    expect((await call("POST", ":me/add-carrier", { ...overHttp, name: "Other" })).body.fields).toEqual({
      "report.path": "is another carrier's",
    });
    const path = `:me/${added.body.data._id}`;
    expect((await call("PATCH", `${path}/edit-carrier`, fields)).status).toBe(404);
    expect(await view(app, headers)).toMatchObject([
      { name: "Acme Telecom", kind: "smpp" },
      {
        kind: "http",
        name: "Provider",
        url: "http://127.0.0.1:9/messages",
        headerNames: ["Authorization", "Content-Type"],
        secretNames: ["apiKey"],
        takesReports: true,
        isLocked: false,
        health: { link: "idle" },
      },
    ]);
    const stored = await db.query("select to_jsonb(kept_http_carrier) as row from kept_http_carrier");
    const audit = await db.query("select to_jsonb(audit_entry) as row from audit_entry");
    const seen = [await view(app, headers), stored.rows, audit.rows, deps.logLines, added.body];
    expect(audit.rows.length).toBeGreaterThan(1);
    expect(JSON.stringify(seen)).not.toMatch(SECRETS);
    expect((await call("PATCH", `${path}/switch-carrier`, { isEnabled: false })).status).toBe(200);
    expect((await call("PATCH", `${path}/switch-carrier`, { isEnabled: false })).status).toBe(409);
    expect((await call("DELETE", `${path}/remove-carrier`)).status).toBe(200);
    expect((await call("DELETE", `${path}/remove-carrier`)).status).toBe(404);
  });

  test("what is left out stays, at the same host alone; a test sends one message and says what the answer means", async ({
    deps,
    call,
  }) => {
    const provider = await new HttpProvider().listen();
    const url = `http://127.0.0.1:${provider.port}/messages`;
    const added = await call("POST", ":me/add-carrier", { ...overHttp, url: `${url}?token=in-the-address` });
    const carrierId = added.body.data._id;
    const edit = async (wanted: object) =>
      await call("PATCH", `:me/${carrierId}/edit-carrier`, { kind: "http", ...wanted });
    expect((await edit({ url, window: 3 })).status).toBe(200);
    expect(Object.keys((await edit({ url: "https://thief.example/" })).body.fields ?? {})).toHaveLength(1);
    expect(
      (await edit({ url: "https://thief.example/", headers: {}, body: overHttp.body })).body.fields,
    ).toHaveProperty("secrets");
    expect((await edit({ ...httpFields, url: "https://other.example/" })).status).toBe(200);
    expect((await edit({ ...httpFields, url: `${url}?token=in-the-address` })).status).toBe(200);

    const message = { kind: "http", carrierId, to: "2348030000001", from: "Ewebal", text: "A test" };
    expect((await call("POST", ":me/test-carrier", { ...message, to: "0803" })).status).toBe(400);
    expect((await call("POST", ":me/test-carrier", { ...message, carrierId: uuidv7() })).status).toBe(404);
    const tested = await call("POST", ":me/test-carrier", message);
    expect(tested.body.data).toMatchObject({
      isBound: true,
      text: expect.stringContaining("P-2348030000001") as string,
    });
    // Within our own network the answer itself is nobody's to read.
    expect(tested.body.data).not.toHaveProperty("answer");
    expect(provider.requests).toMatchObject([
      {
        path: "/messages?token=in-the-address",
        headers: { authorization: "Bearer s3cret-Key" },
        fields: { to: "2348030000001", from: "Ewebal", text: "A test", pin: "in-the-body" },
      },
    ]);
    provider.onRequest = (_request, response) => answerJson(response, 401, { secret: "of another program" });
    expect((await call("POST", ":me/test-carrier", message)).body.data).toMatchObject({
      isBound: false,
      text: expect.stringMatching(/refuses our key/) as string,
    });
    await provider.close();
    expect((await call("POST", ":me/test-carrier", message)).body.data).toMatchObject({
      isBound: false,
      text: "The connection was refused. Nothing was sent.",
    });
    expect(JSON.stringify(deps.logLines)).not.toMatch(SECRETS);
  });
});
