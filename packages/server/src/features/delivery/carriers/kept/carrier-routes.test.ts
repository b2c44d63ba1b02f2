import { randomBytes } from "node:crypto";
import { carrierRoutes as contract, type AddCarrierBody } from "@ewebal/contract";
import { v7 as uuidv7 } from "uuid";
import { describe } from "vitest";
import type { App } from "../../../../http/app-type.ts";
import { expect, test as base } from "../../../../testing/app.ts";
import { buildMessage, testPhoneNos } from "../../../../testing/delivery-factories.ts";
import { buildAdmin, buildUser, type BuiltAdmin } from "../../../../testing/factories.ts";
import { readKeptCarriersForTests } from "../../testing/read-kept-carriers-for-tests.ts";
import { createSendingReader } from "./view-carriers.ts";
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
  test.for([
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
  ] as const)("%s in %j is refused at its field", async ([field, wrong], { call, app, headers }) => {
    const { status, body } = await call("POST", ":me/add-carrier", { ...carrier, ...wrong });
    expect(status).toBe(400);
    expect(body).toMatchObject({ code: "VALIDATION", fields: { [field]: expect.stringMatching(/\S/) as string } });
    expect(await view(app, headers)).toMatchObject([{ source: "simulator" }]);
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
    const answer = await app.inject({ url: "/api/view-sending", headers });
    const { data } = contract.viewSending.schema.response[200].parse(answer.json());
    expect(data).toMatchObject({
      waitingRecipients: 703,
      carriers: [{ name: "Acme Telecom", messagesPerSecond: 50, health: { link: "idle" } }],
    });
    expect(answer.body).not.toContain("127.0.0.1");
    expect(await createSendingReader(deps)()).toMatchObject({ waitingRecipients: 703 });
  });
});
