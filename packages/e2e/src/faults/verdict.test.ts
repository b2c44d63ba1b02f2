import { expect, test } from "vitest";
import { makePlan, planSizes, type Plan } from "./plan.ts";
import { judge, type Observed } from "./verdict.ts";
import { Watcher } from "./watcher.ts";
import { Witness } from "./witness.ts";

const numbers = ["2348030000001", "2348030000002", "2348030000003", "2348030000004"];
const price = 3;

/** One message to four numbers: delivered, failed by a report, refused, unknown. */
function makeRun(): { observed: Observed; witness: Witness; settings: Parameters<typeof judge>[1] } {
  const [first] = makePlan(1, planSizes.short).sends;
  if (first === undefined) throw new Error("a plan without a send");
  const send = { ...first, tag: "m00x", customer: 0, firstNumber: 0, numberCount: 4, pages: 1 };
  const plan: Plan = { ...makePlan(1, planSizes.short), sends: [send], numberCount: 4 };
  const witness = new Witness();
  const [delivered = "", failed = "", refused = "", unknown = ""] = numbers;
  const part = (number: string) => ({ number, tag: send.tag, part: 1 });
  for (const number of [delivered, failed, unknown]) witness.noteTaken(part(number));
  witness.noteRefused(part(refused));
  witness.noteReported(part(delivered), "DELIVRD");
  witness.noteReportTaken(part(delivered), "DELIVRD");
  witness.noteReported(part(failed), "UNDELIV");
  witness.noteReportTaken(part(failed), "UNDELIV");
  const counts = { waiting: 0, sent: 0, delivered: 1, failed: 2, dnd: 0, unknown: 1, cancelled: 0 };
  const observed: Observed = {
    customers: [
      {
        creditedUnits: 100,
        availableUnits: 91,
        messages: [
          {
            tag: send.tag,
            state: "done",
            counts,
            price,
            units: { charged: 6, reserved: 3, returned: 3 },
            recipients: [
              { phoneNo: delivered, state: "delivered" },
              { phoneNo: failed, state: "failed", carrierCode: "undeliverable" },
              { phoneNo: refused, state: "failed", carrierCode: "ESME_RINVDSTADR" },
              { phoneNo: unknown, state: "unknown" },
            ],
          },
        ],
      },
    ],
    ledger: ["a", "b", "c", "d", "e", "f"].map((name) => ({ name, violations: 0 })),
    missingMails: [],
  };
  return { observed, witness, settings: { plan, numbers, witness, unheardMax: 0 } };
}

type Run = ReturnType<typeof makeRun>;
const messageOf = ({ observed }: Run) => observed.customers[0]?.messages[0] as Observed["customers"][0]["messages"][0];
const partOf = (index: number) => ({ number: numbers[index] ?? "", tag: "m00x", part: 1 });

test("a run in which product and carriers agree is right", () => {
  const { observed, settings } = makeRun();
  expect(judge(observed, settings)).toEqual([]);
});

test.each<[what: string, meddle: (run: Run) => void, fault: RegExp]>([
  ["an SMS that a phone got twice", ({ witness }) => witness.noteTaken(partOf(0)), /2348030000001 was taken 2 times/],
  [
    "an SMS that nobody asked for",
    ({ witness }) => witness.noteTaken({ ...partOf(0), tag: "m99x" }),
    /nobody asked for/,
  ],
  [
    "a recipient who is charged twice",
    (run) => (messageOf(run).units.charged += price),
    /has 9 units charged, and its recipients make 6/,
  ],
  [
    "units that are gone",
    ({ observed }) => ((observed.customers[0] as { availableUnits: number }).availableUnits -= 1),
    /has 90 units of 100/,
  ],
  [
    "units of a refusal that stay charged",
    (run) => (messageOf(run).units.returned = 0),
    /0 units returned, and its recipients make 3/,
  ],
  ["a message that is gone", ({ observed }) => void observed.customers[0]?.messages.pop(), /m00x was accepted 0 times/],
  [
    "a key that was taken twice",
    (run) => void run.observed.customers[0]?.messages.push(messageOf(run)),
    /was accepted 2 times/,
  ],
  ["a recipient who is gone", (run) => void messageOf(run).recipients.pop(), /lists 3 numbers/],
  [
    "counts that say something else than the list",
    (run) => (messageOf(run).counts.delivered = 2),
    /counts 2 delivered and lists 1/,
  ],
  [
    "somebody who still waits",
    (run) => ((messageOf(run).recipients[0] as { state: string }).state = "waiting"),
    /is waiting, at the end/,
  ],
  [
    "a delivery that no carrier knows of",
    (run) => ((messageOf(run).recipients[3] as { state: string }).state = "delivered"),
    /is delivered, and no carrier said so/,
  ],
  [
    "a failure that no carrier knows of",
    (run) => ((messageOf(run).recipients[0] as { state: string }).state = "failed"),
    /is failed, by undefined, and a carrier took it/,
  ],
  [
    "a report that was acknowledged and forgotten",
    (run) => ((messageOf(run).recipients[0] as { state: string }).state = "sent"),
    /is sent, and its reports were acknowledged/,
  ],
  [
    "a report that did not settle what was unknown",
    ({ witness }) => witness.noteReportTaken(partOf(3), "DELIVRD"),
    /is unknown, and a report of it was acknowledged/,
  ],
  [
    "more unknown than the crashes explain",
    (run) => ((messageOf(run).recipients[2] as { state: string }).state = "unknown"),
    /1 are unknown that no carrier has/,
  ],
  [
    "a broken invariant",
    ({ observed }) => ((observed.ledger[0] as { violations: number }).violations = 2),
    /invariant a is broken 2 times/,
  ],
  ["a ledger that was not told", ({ observed }) => (observed.ledger = []), /were not told/],
  [
    "a mail that never came",
    ({ observed }) => void observed.missingMails.push("late@gmail.com"),
    /late@gmail.com never came/,
  ],
  ["octets that are no SMPP", ({ witness }) => witness.noteFault("a PDU of 3 octets"), /a PDU of 3 octets/],
])("%s is noticed", (_what, meddle, fault) => {
  const run = makeRun();
  meddle(run);
  expect(judge(run.observed, run.settings).join("\n")).toMatch(fault);
});

test("states and counts that go back are noticed, and those that go on are not", () => {
  const watcher = new Watcher();
  const counts = { waiting: 2, sent: 0, delivered: 0, failed: 0, dnd: 0, unknown: 0, cancelled: 0 };
  watcher.seeRecipients("m00x", [{ phoneNo: "1", state: "waiting" }]);
  watcher.seeRecipients("m00x", [{ phoneNo: "1", state: "unknown" }]);
  watcher.seeRecipients("m00x", [{ phoneNo: "1", state: "sent" }]);
  watcher.seeRecipients("m00x", [{ phoneNo: "1", state: "delivered" }]);
  watcher.seeCounts("m00x", counts);
  watcher.seeCounts("m00x", { ...counts, waiting: 1, delivered: 1 });
  expect(watcher.faults).toEqual([]);
  watcher.seeRecipients("m00x", [{ phoneNo: "1", state: "failed" }]);
  watcher.seeCounts("m00x", counts);
  watcher.seeCounts("m00x", { ...counts, waiting: 1 });
  expect(watcher.faults).toEqual([
    "m00x to 1 went from delivered back to failed",
    "m00x has 2 waiting, after 1",
    "m00x has 0 delivered, after 1",
    "m00x counts 1 recipients, after 2",
  ]);
});
