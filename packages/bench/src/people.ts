import { connectPhones } from "@ewebal/e2e/testing/carrier";
import { equipCustomer, makeNumbers, registerCustomer } from "@ewebal/e2e/testing/api-client";
import { removeProduct, startProduct, waitUntil } from "@ewebal/e2e/testing/product";
import { buildWorkbook } from "@ewebal/server/src/features/contacts/testing/build-workbook.ts";
import { watchMemory } from "./deliver.ts";
import { printTable, quantile, type Row } from "./print.ts";

const ROWS = 100_000;
const RUNS = 3;
const STOPS = 50;

/** What people bring: their lists as files, and a STOP from their phones. */
export async function measurePeople(): Promise<void> {
  const product = await startProduct();
  try {
    const customer = await registerCustomer(product);
    await equipCustomer(product, customer, 1_000, "BENCH");
    const numbers = makeNumbers(ROWS);
    // As a spreadsheet leaves them: without the leading 0.
    const cells = numbers.map((phoneNo, index) => [`Customer ${index}`, phoneNo.slice(3), `Area ${index % 50}`]);
    const files = {
      CSV: ["Name,Phone,Area", ...cells.map((row) => row.join(","))].join("\r\n"),
      XLSX: buildWorkbook({
        List: [
          ["Name", "Phone", "Area"],
          ...cells.map(([name = "", number = "", area = ""]) => [name, { number }, area]),
        ],
      }),
    };
    const rows: Row[] = [];
    for (const [kind, content] of Object.entries(files)) {
      const seconds: number[] = [];
      const memory = watchMemory(product);
      const before = memory.highest();
      for (let run = 0; run < RUNS; run += 1) {
        const form = new FormData();
        form.set("catalogName", `${kind} ${run}`);
        form.set("code", "234");
        form.set("mapping", JSON.stringify({ phoneNo: "Phone", fields: { name: "Name", area: "Area" } }));
        form.set("csv", new File([content], "contacts"));
        const startedAtMs = performance.now();
        const { status, body } = await customer.call<{ data: { added: number } }>(
          "POST",
          `/api/${customer.actorId}/upload-to-new-tel`,
          form,
        );
        seconds.push((performance.now() - startedAtMs) / 1000);
        if (status !== 201 || body.data.added !== ROWS) throw new Error(`The file was answered with ${status}`);
      }
      rows.push({
        file: kind,
        MB: new Blob([content]).size / 1e6,
        "median s": quantile(seconds, 0.5),
        "slowest s": Math.max(...seconds),
        "MB of memory before": before,
        "highest MB": memory.stop(),
      });
    }
    printTable(`${ROWS.toLocaleString("en")} rows with two fields read and stored`, rows);

    const phones = await connectPhones(product, customer);
    const milliseconds: number[] = [];
    for (const phoneNo of numbers.slice(0, STOPS)) {
      const startedAtMs = performance.now();
      phones.bring(phoneNo, "STOP");
      const url = `/api/${customer.actorId}/opt-outs?search=${phoneNo}`;
      await waitUntil(
        async () => (await customer.call<{ data: unknown[] }>("GET", url)).body.data.length === 1,
        `the opt-out of ${phoneNo}`,
        { withinMs: 10_000, everyMs: 2 },
      );
      milliseconds.push(performance.now() - startedAtMs);
    }
    await phones.close();
    printTable("From the carrier's deliver_sm of a STOP to the number on the list that its customer reads", [
      { stops: STOPS, "p50 ms": quantile(milliseconds, 0.5), "slowest ms": Math.max(...milliseconds) },
    ]);
  } finally {
    await removeProduct(product);
  }
}
