import type { InvoiceAnswer } from "@ewebal/contract";
import { v7 as uuidv7 } from "uuid";
import { describe } from "vitest";
import type { Tx } from "../../../db/transaction.ts";
import { buildDeposit } from "../../../testing/deposit-factories.ts";
import { buildAdmin, buildUser } from "../../../testing/factories.ts";
import { checkOpenPayments } from "../payments/check-open-payments.ts";
import { settlePaymentQueue } from "../payments/settle-payment.ts";
import { expect, overlap, test } from "../payments/testing/payment-test.ts";
import { issueInvoice, splitVat } from "./issue-invoice.ts";

test.for([
  [107_500, 750, 100_000],
  // 93.0232...: the kobo's half goes up, and the VAT is the rest.
  [100, 750, 93],
  [1, 750, 1],
  [0, 750, 0],
  [100, 0, 100],
  [9_000_000_000_000_000, 750, 8_372_093_023_255_814],
] as const)("%i kobo with %i hundredths of a percent are %i net", ([gross, vat, netKobo]) => {
  expect(splitVat(gross, vat)).toEqual({ netKobo, vatKobo: gross - netKobo });
});

describe("an invoice", () => {
  test("is there once for each payment, however often and by whom it is reported", async ({
    app,
    db,
    deps,
    user,
    begin,
    verify,
    post,
    paystack,
    clock,
    signInAs,
  }) => {
    const references = [await begin(500), await begin(1_000)];
    // Anew each time: an hour passes, and a session that nobody acts in ends.
    const list = async (): Promise<InvoiceAnswer[]> =>
      (await app.inject({ url: `/api/${user.userId}/invoices`, headers: await signInAs(user) })).json<{
        data: InvoiceAnswer[];
      }>().data;
    await verify(references[0] ?? "");
    expect(await list()).toEqual([]);
    for (const reference of references) paystack.pay(reference);
    clock.advance(3_600_000);
    await Promise.all(
      [...references, ...references, ...references].flatMap((reference) => [
        verify(reference),
        post("charge.success", { reference }),
        settlePaymentQueue.handle(deps, { reference }),
        checkOpenPayments(deps),
      ]),
    );
    const year = clock.now().getUTCFullYear();
    const found = await list();
    expect(found.map(({ number }) => number)).toEqual([`${year}-000002`, `${year}-000001`]);
    expect(found.map(({ reference }) => reference).toSorted()).toEqual(references.toSorted());
    const page = async (query: string) =>
      (await app.inject({ url: `/api/${user.userId}/invoices?limit=1${query}`, headers: await signInAs(user) })).json<{
        data: InvoiceAnswer[];
        next: string | null;
      }>();
    expect(await page("")).toEqual({ data: [found[0]], next: found[0]?.number });
    expect(await page(`&after=${found[0]?.number}`)).toEqual({ data: [found[1]], next: null });
    const { rows: paid } = await db.query<{ reference: string; kobo: number }>(
      "select reference, total_kobo as kobo from card_payment",
    );
    for (const invoice of found) {
      const kobo = paid.find(({ reference }) => reference === invoice.reference)?.kobo ?? 0;
      const { netKobo, vatKobo } = splitVat(kobo, 750);
      expect(invoice).toMatchObject({
        kind: "card",
        gross: kobo / 100,
        net: netKobo / 100,
        vat: vatKobo / 100,
        vatPercent: 7.5,
        currency: "NGN",
        seller: { name: "Ewebalsms", address: "Lagos, Nigeria" },
        buyer: { name: "Ọlá Ẹwà", email: "ada@gmail.com" },
      });
    }
  });

  test("of a deposit names what was deposited; its PDF is the owner's and administrators' alone", async ({
    app,
    db,
    user,
    signInAs,
  }) => {
    const admin = await buildAdmin(db);
    const { transferId } = await buildDeposit(db, { userId: user.userId, amountNaira: 10_000 });
    const adminHeaders = await signInAs(admin);
    const credited = await app.inject({
      method: "PATCH",
      url: `/api/${user.userId}/${transferId}/${admin.adminId}/credit-user`,
      headers: adminHeaders,
      payload: { units: 9_000 },
    });
    expect(credited.statusCode, credited.body).toBe(200);
    const headers = await signInAs(user);
    const url = `/api/${user.userId}/invoices`;
    const [invoice] = (await app.inject({ url, headers })).json<{ data: InvoiceAnswer[] }>().data;
    expect(invoice).toMatchObject({
      kind: "deposit",
      reference: transferId,
      gross: 10_000,
      net: 9_302.33,
      vat: 697.67,
    });
    const file = `/api/${user.userId}/${invoice?._id}/invoice`;
    const pdf = await app.inject({ url: file, headers });
    expect([pdf.statusCode, pdf.headers["content-type"], pdf.rawPayload.subarray(0, 5).toString()]).toEqual([
      200,
      "application/pdf",
      "%PDF-",
    ]);
    expect(pdf.headers["content-disposition"]).toBe(`attachment; filename="invoice-${invoice?.number}.pdf"`);
    expect((await app.inject({ url: file, headers: adminHeaders })).statusCode).toBe(200);
    const stranger = await signInAs(await buildUser(db));
    for (const [address, as, status] of [
      [file, {}, 401],
      [url, {}, 401],
      [file, stranger, 403],
      [url, stranger, 403],
      [`/api/${user.userId}/${uuidv7()}/invoice`, headers, 404],
      [`${url}?after=x`, headers, 400],
    ] as const)
      expect((await app.inject({ url: address, headers: as })).statusCode, address).toBe(status);
  });

  test("has no gap before it: who comes second waits, and gets the number of a credit that was undone", async ({
    db,
    deps,
    user,
    clock,
  }) => {
    const issue =
      (reference: string, isUndone = false) =>
      async (tx: Tx) => {
        const facts = { userId: user.userId, kind: "card", reference, grossKobo: 100, unitsMilli: 1 } as const;
        const invoice = await issueInvoice(deps, tx, facts);
        if (isUndone) throw new Error("the credit was undone");
        return invoice.number;
      };
    const [first, second] = await overlap(db, issue("one"), issue("two"));
    expect([first, second]).toMatchObject([{ value: 1 }, { value: 2 }]);
    const [undone, third] = await overlap(db, issue("three", true), issue("four"));
    expect([undone.status, third]).toMatchObject(["rejected", { value: 3 }]);
    // Another year begins with 1; in Lagos that is an hour before midnight UTC.
    const midnight = Date.UTC(clock.now().getUTCFullYear() + 1, 0, 1) - 3_600_000;
    clock.advance(midnight - clock.now().getTime());
    const [next] = await overlap(db, issue("five"), issue("six"));
    expect(next).toMatchObject({ value: 1 });
  });
});
