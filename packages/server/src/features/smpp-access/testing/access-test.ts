import smpp, { type Pdu, type Session } from "smpp";
import type { Db } from "../../../db/pool.ts";
import { test as base, type TestDeps } from "../../../testing/app.ts";
import { buildSender, FACTORY_SENDER_NAME } from "../../../testing/messages-factories.ts";
import type { BuiltUser } from "../../../testing/factories.ts";
import { createApiKey, type KeyWish } from "../../accounts/index.ts";
import { startSmppAccess, type AccessOptions, type SmppAccess } from "../start-smpp-access.ts";

export { expect, overlap } from "../../../testing/app.ts";

export type Client = {
  session: Session;
  /** What the server sent by itself. */
  delivered: Pdu[];
  submit: (fields: Record<string, unknown>) => Promise<Pdu>;
  ask: (command: string, fields?: Record<string, unknown>) => Promise<Pdu>;
  isClosed: () => boolean;
};

export type BuiltKey = { systemId: string; password: string; keyId: string; userId: string };

export type AccessFixtures = {
  /** A server on a free port; the fixture stops it. */
  startAccess: (options?: Partial<AccessOptions>) => Promise<SmppAccess>;
  /** A client of the npm package; the fixture ends it. `answer` is the status that it answers deliveries with. */
  connect: (port: number, options?: { answer?: (pdu: Pdu) => number | undefined }) => Promise<Client>;
};

export const test = base.extend<AccessFixtures>({
  startAccess: async ({ deps }, use) => {
    const started: SmppAccess[] = [];
    await use(async (options = {}) => {
      const access = await startSmppAccess(deps, { host: "127.0.0.1", port: 0, ...options });
      started.push(access);
      return access;
    });
    await Promise.all(started.map((access) => access.stop()));
  },
  // eslint-disable-next-line no-empty-pattern -- vitest reads the wanted fixtures from the pattern.
  connect: async ({}, use) => {
    const clients: Client[] = [];
    await use(async (port, options = {}) => {
      const client = await openClient(port, options);
      clients.push(client);
      return client;
    });
    for (const { session } of clients) session.destroy();
  },
});

async function openClient(
  port: number,
  { answer = () => 0 }: { answer?: (pdu: Pdu) => number | undefined },
): Promise<Client> {
  const session = smpp.connect({ host: "127.0.0.1", port });
  const delivered: Pdu[] = [];
  let isClosed = false;
  session.on("error", () => undefined);
  session.on("close", () => {
    isClosed = true;
  });
  session.on("deliver_sm", (pdu: Pdu) => {
    delivered.push(pdu);
    const status = answer(pdu);
    if (status !== undefined) session.send(pdu.response({ command_status: status }));
  });
  session.on("enquire_link", (pdu: Pdu) => session.send(pdu.response()));
  session.on("unbind", (pdu: Pdu) => {
    session.send(pdu.response());
    session.close();
  });
  await new Promise<void>((resolve) => session.on("connect", resolve));
  const ask: Client["ask"] = (name, fields = {}) =>
    new Promise((resolve) => {
      const call = session[name as "submit_sm"].bind(session);
      call(fields, resolve);
    });
  const submit: Client["submit"] = (fields) =>
    ask("submit_sm", {
      source_addr: FACTORY_SENDER_NAME,
      source_addr_ton: 5,
      destination_addr: "2348030000001",
      dest_addr_ton: 1,
      dest_addr_npi: 1,
      data_coding: 0,
      ...fields,
    });
  return { session, delivered, submit, ask, isClosed: () => isClosed };
}

export async function buildKey(
  deps: TestDeps,
  user: { userId: string },
  wish: Partial<KeyWish> = {},
): Promise<BuiltKey> {
  const made = await createApiKey(deps, user.userId, { name: "SMPP", kind: "smpp", ...wish });
  return { systemId: made.publicName ?? "", password: made.key, keyId: made.keyId, userId: user.userId };
}

export function credentials({ systemId, password }: BuiltKey): Record<string, unknown> {
  return { system_id: systemId, password };
}

/** A customer who can send, with a key of kind SMPP. */
export async function buildSmppSender(
  db: Db,
  deps: TestDeps,
  { balanceMilli = 100_000, ...wish }: Partial<KeyWish> & { balanceMilli?: number } = {},
): Promise<BuiltKey & { user: BuiltUser }> {
  const user = await buildSender(db, { balanceMilli });
  return { ...(await buildKey(deps, user, { binds: 10, perSecond: 10_000, ...wish })), user };
}

/** The parts of a text in octets, as a user data header joins them. */
export function cutWithHeader(
  octets: Buffer,
  partOctets: number,
  reference: number,
): { udh: Buffer; message: Buffer }[] {
  const count = Math.ceil(octets.length / partOctets);
  return Array.from({ length: count }, (_, index) => ({
    udh: Buffer.from([5, 0, 3, reference, count, index + 1]),
    message: octets.subarray(index * partOctets, (index + 1) * partOctets),
  }));
}

export async function until(
  what: string,
  isTrue: () => boolean | Promise<boolean>,
  deadlineMs = 20_000,
): Promise<void> {
  const end = performance.now() + deadlineMs;
  while (!(await isTrue())) {
    if (performance.now() > end) throw new Error(`waited ${deadlineMs} ms for ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
