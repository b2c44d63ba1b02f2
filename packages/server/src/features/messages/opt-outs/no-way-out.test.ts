/** Every way that a message can leave, and the one person to whom none of them leads. */
import { pino } from "pino";
import type { MessageAnswer, UnitDetails } from "@ewebal/contract";
import type { CarrierOutcome } from "../../delivery/carriers/carrier.ts";
import { WorkerSession } from "../../delivery/engine/worker-session.ts";
import { SendMark } from "../../delivery/send-mark/send-mark.ts";
import { FakeCarrier } from "../../delivery/testing/fake-carrier.ts";
import { until } from "../../delivery/testing/worker-test.ts";
import { createApiKey } from "../../accounts/index.ts";
import { expect, test } from "../../../testing/app.ts";
import { buildCatalog } from "../../../testing/contacts-factories.ts";
import { buildApprovedAddress, buildSender, FACTORY_SENDER_NAME } from "../../../testing/messages-factories.ts";
import { createSendDeps } from "../send/send.ts";
import { createSendRepeated } from "../scheduled/send-repeated.ts";

type Answer = { data: { _id: string }; unitDetails: UnitDetails };
const OUT = "2348030000001";
const STAYS = "2348030000002";
const REFUSED: CarrierOutcome = { kind: "refused", reason: "status:11" };

test("an opted-out number is sent to by no way, whether it opted out before or after the message was accepted", async ({
  app,
  db,
  deps,
  signInAs,
}) => {
  const user = await buildSender(db, { balanceMilli: 10_000_000, hasCarrier: false });
  const { userId, email } = user;
  const headers = await signInAs(user);
  const { key } = await createApiKey(deps, userId, { name: "Shop" });
  await buildApprovedAddress(db, { userId, address: "127.0.0.1" });
  const catalogId = await buildCatalog(db, { userId, numbers: Float64Array.of(Number(OUT), Number(STAYS)) });

  const sendDeps = createSendDeps(deps);
  const carrier = new FakeCarrier({ behaviour: () => REFUSED });
  const session = new WorkerSession(db, pino({ level: "silent" }), {
    mark: new SendMark(db, pino({ level: "silent" })),
    readCarriers: async () => await Promise.resolve([carrier.definition]),
    isRefundingFailed: false,
    onChange: () => undefined,
    sendRepeated: createSendRepeated(sendDeps),
  });
  await session.start();
  try {
    const phoneNo = `${OUT},${STAYS}`;
    const fields = { senderName: FACTORY_SENDER_NAME, code: "234", phoneNo };
    const call = async (path: string, payload?: object): Promise<Answer> => {
      const url = `/api/${userId}/${path}`;
      const answer = await app.inject({ method: "POST", url, headers, ...(payload && { payload }) });
      expect([200, 201], `${path}: ${answer.body}`).toContain(answer.statusCode);
      return answer.json<Answer>();
    };
    const program = async (payload: object): Promise<Answer> => {
      const given = { method: "POST", url: "/api/v1/messages", headers: { "x-api-key": key }, payload } as const;
      return (await app.inject(given)).json<Answer>();
    };
    const later = new Date(Date.now() + 3_600_000).toISOString();
    const of = (name: string): object => ({ ...fields, message: `by ${name}` });
    const failed = await call("send-bulk-sms", of("a carrier that refuses"));
    await until("both have failed", async () => {
      const { rows } = await db.query("select from message_count where failed = 2");
      return rows.length === 1;
    });
    carrier.facts.isUp = false;
    // Accepted before the person opts out, and still in the queue, paused, or waiting for their time.
    const before = ["queue", "pause", "schedule", "repeat", "program's schedule"];
    await call("send-bulk-sms", of("queue"));
    const paused = await call("send-bulk-sms", of("pause"));
    await call(`${paused.data._id}/pause`);
    await call("schedule-sms", { ...of("schedule"), sendAt: later });
    await call("schedule-sms", { ...of("repeat"), sendAt: later, repeat: { every: "day" } });
    await program({ ...of("program's schedule"), sendAt: later });
    const draft = await call("draft-message", of("draft"));
    const formDraft = await call("draft-message", of("a draft's form"));

    await call("opt-outs", { phoneNo: OUT });

    const { phoneNo: _phoneNo, ...toCatalog } = fields;
    const recipients = [{ to: OUT, text: "by a text of their own" }, { to: STAYS }];
    const parts = [email, key, "by the GET form", FACTORY_SENDER_NAME, phoneNo, "234"].map(encodeURIComponent);
    const after: Record<string, Answer> = {
      page: await call("send-bulk-sms", of("page")),
      links: await call("send-bulk-sms", { ...of("links"), optOutLink: true }),
      catalog: await call("send-bulk-sms", { ...toCatalog, catalogId, message: "by catalog" }),
      recipients: await call("send-bulk-sms", { ...toCatalog, recipients, message: "by recipients" }),
      draft: await call(`${draft.data._id}/send-draft-sms`),
      "draft's form": await call(`${formDraft.data._id}/send-draft-sms`, of("a draft's form")),
      "resend failed": await call(`${failed.data._id}/resend-failed`),
      "GET form": (await app.inject({ url: `/api/send-bulk-sms/${parts.join("/")}` })).json<Answer>(),
      program: await program(of("program")),
      "schedule after": await call("schedule-sms", { ...of("schedule after"), sendAt: later }),
      "repeat after": await call("schedule-sms", { ...of("repeat after"), sendAt: later, repeat: { every: "week" } }),
    };
    for (const [way, { unitDetails }] of Object.entries(after))
      expect(unitDetails, way).toMatchObject({ recipients: 1, optedOut: 1, charged: 3 * unitDetails.pages });

    carrier.facts.behaviour = () => "accept";
    carrier.facts.isUp = true;
    await call(`${paused.data._id}/resume`);
    await db.query("update message set send_at = now() where state = 0");
    const messageCount = 1 + before.length + Object.keys(after).length;
    await until("all has left", async () => {
      const { rows } = await db.query(
        `select from message join message_count using (user_id, message_id) where message.state <> 0 and waiting = 0`,
      );
      return rows.length === messageCount;
    });
    const left = carrier.taken.slice(2);
    expect(left.filter((message) => message.phoneNo === OUT)).toEqual([]);
    expect(left).toHaveLength(messageCount - 1);
    const history = await app.inject({ url: `/api/${userId}/populate-sms-history`, headers });
    const sent = history.json<{ data: MessageAnswer[] }>().data.filter(({ _id }) => _id !== failed.data._id);
    expect(sent.map(({ counts }) => [counts.sent, counts.optedOut])).toEqual(sent.map(() => [1, 1]));
    expect(sent).toHaveLength(messageCount - 1);
  } finally {
    await session.end();
    await sendDeps.bodies.close();
  }
});
