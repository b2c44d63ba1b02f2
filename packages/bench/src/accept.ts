import { equipCustomer, makeNumbers, send, signIn } from "@ewebal/e2e/testing/api-client";
import { carrierSetting } from "@ewebal/e2e/testing/carrier";
import { removeProduct, startProduct } from "@ewebal/e2e/testing/product";
import { printTable, quantile, type Row } from "./print.ts";

const RUNS = 3;
/** Nobody listens at `discard` on this machine: nothing is delivered while accepting is measured. */
const CLOSED_PORT = 9;

/** From the first byte of the request to the answer, with units held and every recipient stored. The carrier is away. */
export async function measureAccepting(): Promise<void> {
  const product = await startProduct({ environment: { CARRIERS: carrierSetting({ smppPort: CLOSED_PORT }) } });
  const rows: Row[] = [];
  try {
    const customer = await signIn(product, product.demo.customer);
    await equipCustomer(product, product.demo.customer, 99_000_000, "BENCH");
    for (const recipients of [10, 10_000, 100_000, 1_000_000]) {
      const phoneNo = makeNumbers(recipients).join(",");
      const seconds: number[] = [];
      for (let run = 0; run < RUNS; run += 1) {
        const startedAtMs = performance.now();
        const { status } = await send(customer, { senderName: "BENCH", message: `Run ${run}`, phoneNo, code: "234" });
        if (status !== 200) throw new Error(`The send was answered with ${status}`);
        seconds.push((performance.now() - startedAtMs) / 1000);
      }
      rows.push({ recipients, "median s": quantile(seconds, 0.5), "slowest s": Math.max(...seconds), runs: RUNS });
    }
  } finally {
    await removeProduct(product);
  }
  printTable("Accepting a send", rows);
}
