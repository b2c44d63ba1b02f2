import type { IncomingSubmit } from "@ewebal/smpp";
import { expect, test } from "vitest";
import { Carrier } from "./carrier.ts";
import { buildSettings, endAfterTest, makeFolder } from "./testing/setup.ts";
import { until } from "./testing/until.ts";

function openCarrier(dataDir: string, nowMs: number): Carrier {
  const carrier = new Carrier(buildSettings({ dataDir }), nowMs);
  endAfterTest(() => carrier.close());
  return carrier;
}

/** Hands one message over and gives the id that it was accepted with. */
async function acceptedId(carrier: Carrier): Promise<number> {
  let messageId = "";
  const submit: IncomingSubmit = {
    serviceType: "",
    source: { ton: 5, npi: 0, address: "SHOP" },
    destination: { ton: 1, npi: 1, address: "2348031234567" },
    esmClass: 0,
    priority: 0,
    scheduleDeliveryTime: "",
    validityPeriod: "",
    registeredDelivery: 1,
    dataCoding: 0,
    sar: undefined,
    userMessageReference: -1,
    vendorTlvs: undefined,
    body: Buffer.from("Hello"),
    isInPayload: false,
    accept(id) {
      messageId = id;
      return true;
    },
    refuse: (status) => expect.unreachable(`refused with ${status}`),
  };
  carrier.onSubmit(submit);
  await until(() => messageId !== "", "the answer");
  return Number(messageId);
}

test("no id comes back after a restart: neither when the clock went back, nor when the journal was deleted", async () => {
  const nowMs = Date.now();
  const folder = makeFolder();
  const first = await acceptedId(openCarrier(folder, nowMs));
  const withClockBehind = await acceptedId(openCarrier(folder, nowMs - 3_600_000));
  expect(withClockBehind).toBeGreaterThan(first);
  const withoutJournal = await acceptedId(openCarrier(makeFolder(), nowMs + 1000));
  expect(withoutJournal).toBeGreaterThan(withClockBehind);
});
