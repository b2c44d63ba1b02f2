/** Who asks: every role of a customer's account and of the administrators, keys of every kind, and somebody who is nobody. */
import { randomUUID } from "node:crypto";
import { adminRoles, memberRoles } from "@ewebal/contract";
import { createPool, type Db } from "@ewebal/server/src/db/pool.ts";
import { buildAdmin, buildMember, buildUser, FACTORY_PASSWORD } from "@ewebal/server/src/testing/factories.ts";
import { topUpUser } from "@ewebal/server/src/testing/ledger-factories.ts";
import { buildSenderName } from "@ewebal/server/src/testing/messages-factories.ts";
import { signIn, type ApiClient } from "../testing/api-client.ts";
import type { FuzzedCall } from "./calls.ts";

export type Person = {
  name: string;
  kind: "visitor" | "customer" | "admin" | "key" | "twilio";
  headers: Record<string, string>;
  /** Their own ids by the names of parameters. */
  ids: Record<string, string>;
  email: string;
};

/** Stands in everything that the account which nobody may see has. */
export const CANARY = "Zyxcanaryq";
const CANARY_EMAIL = "zyxcanaryq.owner@gmail.com";

const visitor: Person = { name: "visitor", kind: "visitor", headers: {}, ids: {}, email: "nobody@gmail.com" };

type Keys = { data: { key?: string; sid?: string; token?: string } };

/** The people of one installation. Its account and its administrators are made anew when what was tried has ended their sessions. */
export class People {
  readonly #url: string;
  readonly #db: Db | undefined;
  #customers: Person[] = [];
  #administrators: Person[] = [];
  foreignIds: string[] = [];
  madeCount = 0;

  /** @param databaseUrl without it there are only visitors. */
  constructor(url: string, databaseUrl: string | undefined) {
    this.#url = url;
    this.#db = databaseUrl === undefined ? undefined : createPool({ url: databaseUrl, connectionsMax: 2 });
  }

  get everybody(): Person[] {
    return [visitor, ...this.#customers, ...this.#administrators];
  }

  get hasAccounts(): boolean {
    return this.#db !== undefined;
  }

  async start(): Promise<void> {
    if (this.#db === undefined) return;
    this.foreignIds = await makeCanary(this.#url, this.#db);
    await this.renew("customer");
    await this.renew("admin");
  }

  async renew(side: "customer" | "admin"): Promise<void> {
    if (this.#db === undefined) return;
    this.madeCount += 1;
    if (side === "customer") this.#customers = await makeCustomers(this.#url, this.#db);
    else this.#administrators = await makeAdministrators(this.#url, this.#db);
  }

  for({ path }: FuzzedCall): readonly Person[] {
    const of = (kind: Person["kind"]): Person[] => this.everybody.filter((person) => person.kind === kind);
    const people = path.startsWith("/2010-04-01")
      ? of("twilio")
      : path.startsWith("/api/v1/")
        ? of("key")
        : /\{adminId\}|^\/api\/(?:view-|audit|receipts)/.test(path)
          ? of("admin")
          : path.includes("{userId}")
            ? of("customer")
            : this.everybody;
    return people.length === 0 ? [visitor] : people;
  }

  async countLedgerViolations(): Promise<Record<string, number>> {
    const found = await this.#db?.query<{ name: string; violations: number }>(
      "select name, violations from ledger_invariants where violations <> 0",
    );
    return Object.fromEntries((found?.rows ?? []).map(({ name, violations }) => [name, violations]));
  }

  async close(): Promise<void> {
    await this.#db?.end();
  }
}

function personOf(name: string, kind: Person["kind"], client: ApiClient, email: string): Person {
  const ids = kind === "admin" ? { adminId: client.actorId } : { userId: client.actorId, id: client.actorId };
  return { name, kind, headers: { authorization: client.authorization }, ids, email };
}

async function makeCustomers(url: string, db: Db): Promise<Person[]> {
  const owner = await buildUser(db, { userName: "Fuzz", isApproved: true });
  await topUpUser(db, owner.userId, 1_000_000_000);
  await buildSenderName(db, { userId: owner.userId, name: "SHOP" });
  const signInAs = async (email: string) => await signIn({ url }, { email, password: FACTORY_PASSWORD });
  const people = [personOf("owner", "customer", await signInAs(owner.email), owner.email)];
  for (const role of memberRoles.filter((known) => known !== "owner")) {
    const { email } = await buildMember(db, { accountId: owner.userId, role });
    people.push(personOf(role, "customer", await signInAs(email), email));
  }
  const [client] = [await signInAs(owner.email)];
  return [...people, ...(await makeKeys(client, owner.email))];
}

async function makeKeys(client: ApiClient, email: string): Promise<Person[]> {
  const make = async (wish: object) =>
    (await client.call<Keys>("POST", `/api/${client.actorId}/api-keys`, { name: "Fuzz", ...wish })).body.data;
  const bearer = (key = ""): Record<string, string> => ({ authorization: `Bearer ${key}` });
  const [live, trial, reader, twilio] = [
    await make({}),
    await make({ mode: "test" }),
    await make({ scopes: ["messages:read"] }),
    await make({ kind: "twilio" }),
  ];
  const basic = Buffer.from(`${twilio.sid}:${twilio.token}`).toString("base64");
  const person = (name: string, headers: Record<string, string>): Person => ({
    name,
    kind: "key",
    headers,
    ids: {},
    email,
  });
  return [
    person("key", bearer(live.key)),
    person("test key", { "x-api-key": trial.key ?? "" }),
    person("key that reads", bearer(reader.key)),
    {
      name: "Twilio key",
      kind: "twilio",
      headers: { authorization: `Basic ${basic}` },
      ids: { accountSid: twilio.sid ?? "" },
      email,
    },
  ];
}

async function makeAdministrators(url: string, db: Db): Promise<Person[]> {
  const people: Person[] = [];
  for (const role of adminRoles) {
    const { email } = await buildAdmin(db, { role });
    const client = await signIn({ url }, { email, password: FACTORY_PASSWORD }, "admin");
    people.push(personOf(`administrator (${role})`, "admin", client, email));
  }
  return people;
}

/** @returns ids of an account of which nobody in the run may see anything. */
async function makeCanary(url: string, db: Db): Promise<string[]> {
  const email = `${randomUUID().slice(0, 8)}.${CANARY_EMAIL}`;
  const { userId } = await buildUser(db, { userName: CANARY, fullName: `${CANARY} Owner`, email, isApproved: true });
  await topUpUser(db, userId, 1_000_000);
  await buildSenderName(db, { userId, name: CANARY });
  const { call } = await signIn({ url }, { email, password: FACTORY_PASSWORD });
  const ids = [userId];
  const make = async (method: string, path: string, body: object): Promise<void> => {
    const { status, body: answer } = await call<{ data?: { _id?: string } }>(method, `/api/${userId}/${path}`, body);
    if (status >= 300) throw new Error(`The canary's ${path} was answered with ${status}: ${JSON.stringify(answer)}`);
    if (answer.data?._id !== undefined) ids.push(answer.data._id);
  };
  const text = { senderName: CANARY, message: `${CANARY} text`, phoneNo: "2348090000001", code: "234" };
  await make("POST", "send-bulk-sms", text);
  await make("POST", "draft-message", text);
  await make("POST", "templates", { name: CANARY, message: `${CANARY} template` });
  await make("POST", "api-keys", { name: CANARY });
  await make("POST", "insert-to-new-tel", { catalogName: CANARY, code: "234", phoneNo: "2348090000002" });
  return ids;
}
