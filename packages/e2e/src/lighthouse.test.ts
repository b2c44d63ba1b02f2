/** The budgets of the pages on a phone. (design, budgets) */
import { test as base, expect } from "vitest";
import { openAuditor, type Auditor, type PageReport } from "./testing/lighthouse.ts";
import { removeProduct, startProduct, type Product } from "./testing/product.ts";
import { signInAdmin, signInCustomer } from "./testing/sign-in-by-hand.ts";

const test = base.extend<{ product: Product; auditor: Auditor }>({
  product: [
    // oxlint-disable-next-line no-empty-pattern -- vitest reads the wanted fixtures from the pattern.
    async ({}, use) => {
      const product = await startProduct();
      try {
        await use(product);
      } finally {
        await removeProduct(product);
      }
    },
    { scope: "file" },
  ],
  auditor: [
    async ({ product }, use) => {
      const auditor = await openAuditor(product.url);
      await use(auditor);
      await auditor.close();
    },
    { scope: "file" },
  ],
});

/**
 * Below this a machine has neighbours, and the score of performance is theirs: the same page had 91 and 75 at a load of 20
 * on two processors (docs/benchmarks.md). Everything else is exact on any machine.
 */
const QUIET_MACHINE_INDEX = 1_000;
/**
 * Above this the machine draws about as slowly as the phone that the budgets are for, and Lighthouse can only make it slower still. A virtual machine
 * that computed with an index of 2,100 to 2,400 took 200 to 330 ms; the Basement blocked it for 700 to 1,300 ms, and others for 72 to 125 (27 November 2026).
 */
const DRAWING_MS_MAX = 100;
/** A neighbour of a moment only ever takes from the score, so a page that reached its budget once keeps it. */
const RECORDINGS_MAX = 3;

type Budget = { performanceMin: number; layoutShiftMax: number };

/** @returns the last recording, for what else is expected of it. */
async function expectWithin(
  { performanceMin, layoutShiftMax }: Budget,
  audit: () => Promise<PageReport>,
): Promise<PageReport> {
  for (let recording = 1; ; recording += 1) {
    const report = await audit();
    const { performance } = report.scores;
    const isFast = report.machineIndex >= QUIET_MACHINE_INDEX && report.drawingMs <= DRAWING_MS_MAX;
    process.stdout.write(`${describeReport(report)}${isFast ? "" : ": too busy or too slow to judge performance"}\n`);
    expect(report.layoutShift, report.shifts).toBeLessThanOrEqual(layoutShiftMax);
    if (!isFast || performance >= performanceMin) return report;
    if (recording === RECORDINGS_MAX) expect(performance).toBeGreaterThanOrEqual(performanceMin);
  }
}

function describeReport({
  path,
  scores,
  firstPaintMs,
  largestPaintMs,
  blockingMs,
  machineIndex,
  drawingMs,
  slowdown,
  loadPerProcessor,
}: PageReport): string {
  const [first, largest, blocked, machine, drawing] = [
    firstPaintMs,
    largestPaintMs,
    blockingMs,
    machineIndex,
    drawingMs,
  ].map(Math.round);
  return `${path}: performance ${scores.performance} (first paint ${first} ms, largest ${largest} ms, blocked ${blocked} ms, machine ${machine}, drawing ${drawing} ms, phone ${slowdown.toFixed(1)} times slower, load ${loadPerProcessor.toFixed(1)})`;
}

test.for(["/", "/pricings", "/login"])(
  "%s keeps its budget, and search engines find nothing to mend",
  async (path, { auditor }) => {
    const report = await expectWithin({ performanceMin: 90, layoutShiftMax: 0 }, async () => await auditor.audit(path));
    expect(report.findings).toEqual([]);
    expect(report.scores).toMatchObject({ accessibility: 100, "best-practices": 100, seo: 100 });
  },
);

/** What each of them looks at first and most. */
const signedIn = [
  {
    who: "a customer",
    signInByHand: signInCustomer,
    account: "customer",
    paths: ["/user-dashboard", "/user-dashboard/ewebal/send-sms", "/user-dashboard/sms-history"],
  },
  {
    who: "an administrator",
    signInByHand: signInAdmin,
    account: "admin",
    paths: ["/admin-dashboard", "/admin-dashboard/manage-all-users"],
  },
] as const;

test.for(signedIn)(
  "the dashboard of $who keeps its budget",
  async ({ signInByHand, account, paths }, { product, auditor }) => {
    const page = await auditor.context.newPage();
    await signInByHand(page, product.demo[account]);
    await page.close();
    for (const path of paths) {
      const report = await expectWithin(
        { performanceMin: 85, layoutShiftMax: 0.02 },
        async () => await auditor.audit(path, true),
      );
      expect(report.findings).toEqual([]);
      expect(report.scores["best-practices"]).toBe(100);
    }
  },
);
