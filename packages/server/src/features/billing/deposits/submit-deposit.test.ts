import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { depositFieldsSchema, lagosDate, limits } from "@ewebal/contract";
import sharp from "sharp";
import { describe } from "vitest";
import type { Tx } from "../../../db/transaction.ts";
import { openFileStore, storeFile, type FileStore } from "../../../files/index.ts";
import { eachCase, expect, overlap, test as base, type TestDeps } from "../../../testing/app.ts";
import { buildAdmin, buildUser, type BuiltUser } from "../../../testing/factories.ts";
import { recordDeposit, submitDeposit } from "./submit-deposit.ts";

const png = await sharp({ create: { width: 60, height: 40, channels: 3, background: "#14377a" } })
  .png()
  .toBuffer();
const otherPng = await sharp({ create: { width: 40, height: 60, channels: 3, background: "#ffffff" } })
  .png()
  .toBuffer();
const pdf = Buffer.from("%PDF-1.4\ntrailer<</Root 1 0 R>>\n%%EOF\n");

type Form = Record<string, string | Blob | undefined>;
type Answer = {
  status: number;
  body: { message: string; code?: string; fields?: Record<string, string>; data?: { _id: string } };
};

function receiptOf(bytes: Buffer, name = "receipt.png"): File {
  return new File([new Uint8Array(bytes)], name);
}

/** A form that is right; what a test gives replaces its fields, and undefined takes one out. */
function formOf(changes: Form = {}): FormData {
  const fields: Form = {
    depositorName: "Ada Obi",
    amountDeposited: "10000",
    phoneNo: "08031234567",
    tellerId: "TRF-0001",
    transactionDate: "2026-03-05",
    bankDeposited: "Ewebal Microfinance Bank",
    image: receiptOf(png),
    ...changes,
  };
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) if (value !== undefined) form.append(name, value);
  return form;
}

const test = base.extend<{
  user: BuiltUser;
  submit: (form: FormData, options?: { as?: BuiltUser; headers?: Record<string, string> }) => Promise<Answer>;
  countDeposits: () => Promise<number>;
}>({
  user: async ({ db }, use) => await use(await buildUser(db, { userName: "Ada", email: "ada@gmail.com" })),
  submit: async ({ app, user, signInAs }, use) => {
    await use(async (form, { as = user, headers = {} } = {}) => {
      const { payload, contentType } = await encode(form);
      const url = `/api/${as.userId}/submit-transfer-details`;
      const answer = await app.inject({
        method: "POST",
        url,
        payload,
        headers: { ...(await signInAs(as)), "content-type": contentType, ...headers },
      });
      return { status: answer.statusCode, body: answer.json() };
    });
  },
  countDeposits: async ({ db }, use) => await use(async () => (await db.query("select from deposit")).rowCount ?? 0),
});

async function encode(form: FormData): Promise<{ payload: Buffer; contentType: string }> {
  const response = new Response(form);
  return {
    payload: Buffer.from(await response.arrayBuffer()),
    contentType: response.headers.get("content-type") ?? "",
  };
}

describe("refused", () => {
  test("visitors, other customers, administrators", async ({ app, db, user, signInAs, countDeposits }) => {
    const { payload, contentType } = await encode(formOf());
    const post = async (headers = {}): Promise<{ code: string }> =>
      (
        await app.inject({
          method: "POST",
          url: `/api/${user.userId}/submit-transfer-details`,
          payload,
          headers: { "content-type": contentType, ...headers },
        })
      ).json();
    expect(await post()).toMatchObject({ code: "AUTH_REQUIRED" });
    expect(await post(await signInAs(await buildUser(db)))).toMatchObject({ code: "FORBIDDEN" });
    expect(await post(await signInAs(await buildAdmin(db)))).toMatchObject({ code: "FORBIDDEN" });
    expect(await countDeposits()).toBe(0);
  });

  test("a wrong field is named, and nothing is stored", async ({ db, submit, countDeposits }) => {
    await eachCase(
      [
        ["depositorName", undefined],
        ["depositorName", "  "],
        ["depositorName", "x".repeat(101)],
        ["depositorName", "a\u0000b"],
        ["amountDeposited", undefined],
        ["amountDeposited", ""],
        ["amountDeposited", "0"],
        ["amountDeposited", "-5"],
        ["amountDeposited", "10,000"],
        ["amountDeposited", "10.50"],
        ["amountDeposited", "1e4"],
        ["amountDeposited", "٥٠٠"],
        ["amountDeposited", "100000001"],
        ["amountDeposited", "9".repeat(30)],
        ["phoneNo", undefined],
        ["phoneNo", "+2348031234567"],
        ["phoneNo", "080312x4567"],
        ["phoneNo", "000"],
        ["tellerId", undefined],
        ["tellerId", "---"],
        ["tellerId", "x".repeat(51)],
        ["transactionDate", undefined],
        ["transactionDate", "05/03/2026"],
        ["transactionDate", "2026-02-30"],
        ["transactionDate", "0206-03-05"],
        ["transactionDate", "9999-12-31"],
        ["bankDeposited", undefined],
        ["bankDeposited", "Another Bank"],
        ["image", undefined],
        ["image", "https://evil.example/receipt.png"],
        ["image", receiptOf(png, "receipt.exe")],
        ["image", receiptOf(png, "receipt.pdf")],
        ["image", receiptOf(Buffer.alloc(0))],
        ["image", receiptOf(Buffer.from("<script>"), "receipt.png")],
      ] as const,
      async ([field, value]) => {
        const { status, body } = await submit(formOf({ [field]: value }));
        expect([status, body.code, Object.keys(body.fields ?? {})]).toEqual([400, "VALIDATION", [field]]);
        expect(await countDeposits()).toBe(0);
        expect((await db.query("select from stored_file")).rowCount).toBe(0);
        expect((await db.query("select from mail")).rowCount).toBe(0);
      },
    );
  });

  test("all wrong fields at once", async ({ submit }) => {
    const { body } = await submit(
      formOf({ depositorName: "", amountDeposited: "x", tellerId: undefined, bankDeposited: "Mine", image: undefined }),
    );
    expect(body.fields).toEqual({
      depositorName: "is required",
      amountDeposited: "takes digits only",
      tellerId: "is required",
      bankDeposited: "is not a bank of ours",
      image: "is required",
    });
  });

  test("a date that is today in Lagos and tomorrow only from midnight there", async ({ clock, submit }) => {
    const today = lagosDate(clock.now());
    const lagosMidnightMs = Date.parse(`${today}T00:00:00+01:00`) + 24 * 3_600_000;
    const tomorrow = lagosDate(new Date(lagosMidnightMs));
    clock.advance(lagosMidnightMs - 1 - clock.now().getTime());
    expect((await submit(formOf({ transactionDate: today }))).status).toBe(201);
    expect((await submit(formOf({ transactionDate: tomorrow }))).body.fields).toEqual({
      transactionDate: "must not be later than today",
    });
    clock.advance(1);
    expect((await submit(formOf({ transactionDate: tomorrow }))).status).toBe(201);
  });

  test("a receipt of more than 5 MB", async ({ submit, countDeposits }) => {
    const large = (extra: number): File =>
      receiptOf(Buffer.concat([pdf, Buffer.alloc(limits.receiptBytesMax - pdf.length + extra, 32)]), "a.pdf");
    expect(await submit(formOf({ image: large(1) }))).toMatchObject({ status: 413, body: { code: "BODY_TOO_LARGE" } });
    expect(await countDeposits()).toBe(0);
    expect((await submit(formOf({ image: large(0) }))).status).toBe(201);
  });

  test("fields and files that are there twice, files for other fields, endless fields", async ({
    submit,
    countDeposits,
  }) => {
    const twice = formOf();
    twice.append("amountDeposited", "5");
    expect((await submit(twice)).body).toMatchObject({
      code: "VALIDATION",
      fields: { amountDeposited: "is there twice" },
    });
    const twoFiles = formOf();
    twoFiles.append("image", receiptOf(otherPng));
    expect((await submit(twoFiles)).body).toMatchObject({ code: "VALIDATION", fields: { image: "is there twice" } });
    expect((await submit(formOf({ tellerId: receiptOf(png) }))).body).toMatchObject({
      code: "VALIDATION",
      fields: { tellerId: "takes no file" },
    });
    expect((await submit(formOf({ depositorName: "x".repeat(2_000) }))).body).toMatchObject({
      code: "VALIDATION",
      fields: { depositorName: "is not a short text" },
    });
    const many = formOf();
    for (let count = 0; count < 40; count += 1) many.append(`field${count}`, "x");
    expect((await submit(many)).status).toBeGreaterThanOrEqual(400);
    expect((await submit(many)).status).toBeLessThan(500);
    const prototype = formOf();
    prototype.append("__proto__", "x");
    expect((await submit(prototype)).status).toBe(400);
    expect(await countDeposits()).toBe(0);
  });

  test("what is no form, and a form that breaks off", async ({ app, user, signInAs }) => {
    const url = `/api/${user.userId}/submit-transfer-details`;
    const headers = await signInAs(user);
    expect((await app.inject({ method: "POST", url, payload: { depositorName: "Ada" }, headers })).statusCode).toBe(
      415,
    );
    const { payload, contentType } = await encode(formOf());
    const broken = await app.inject({
      method: "POST",
      url,
      payload: payload.subarray(0, 300),
      headers: { ...headers, "content-type": contentType },
    });
    expect([broken.statusCode, broken.json()]).toMatchObject([400, { code: "VALIDATION" }]);
    const boundless = await app.inject({
      method: "POST",
      url,
      payload,
      headers: { ...headers, "content-type": "multipart/form-data" },
    });
    expect(boundless.statusCode).toBeLessThan(500);
  });

  describe("with limits on", () => {
    const limited = test.extend({ environment: { RATE_LIMITS: "on" } });
    limited(
      "the 21st receipt of a day, also a repeat's other copy; wrong ones do not count",
      async ({ deps, clock, submit, countDeposits }) => {
        await submit(formOf({ amountDeposited: "x" }));
        for (let count = 0; count < 20; count += 1)
          expect((await submit(formOf({ tellerId: `T${count}` }))).status).toBe(201);
        expect(await submit(formOf())).toMatchObject({ status: 429, body: { code: "RATE_LIMITED" } });
        expect(await submit(formOf(), { headers: { "idempotency-key": "k" } })).toMatchObject({ status: 429 });
        expect(await countDeposits()).toBe(20);
        // Nothing of a refused one, and nothing more of a repeated one, is stored.
        expect(await listFiles(deps)).toHaveLength(20);
        clock.advance(24 * 3_600_000);
        for (let time = 0; time < 3; time += 1)
          expect((await submit(formOf(), { headers: { "idempotency-key": "k" } })).status).toBe(201);
        expect(await listFiles(deps)).toHaveLength(21);
      },
    );
  });
});

describe("taken", () => {
  test("row, receipt and the mail to management, with the phone number as everywhere", async ({
    db,
    deps,
    user,
    submit,
    mailsTo,
  }) => {
    const answer = await submit(formOf({ depositorName: " Ada Obi ", phoneNo: "2348031234567" }));
    expect(answer).toMatchObject({
      status: 201,
      body: { message: expect.stringContaining("mail was sent to management") as string },
    });
    const { rows } = await db.query(
      "select depositor_name, amount_kobo, phone_no, teller_id, teller_key, transaction_date, state, is_flagged from deposit",
    );
    expect(rows).toEqual([
      {
        depositor_name: "Ada Obi",
        amount_kobo: 1_000_000,
        phone_no: "8031234567",
        teller_id: "TRF-0001",
        teller_key: "trf0001",
        transaction_date: "2026-03-05",
        state: "pending",
        is_flagged: false,
      },
    ]);
    expect(await listFiles(deps)).toHaveLength(1);
    const [mail] = await mailsTo("management@ewebal.com");
    expect(mail?.subject).toBe("Deposit of NGN 10,000.00 from ada@gmail.com");
    const lines = [
      "Customer: Ada, ada@gmail.com",
      "Depositor: Ada Obi",
      "Amount: NGN 10,000.00",
      "Teller ID: TRF-0001",
      "Contact: +234 8031234567",
      "Date: 2026-03-05",
    ];
    expect(mail?.text.split("\n")).toEqual(expect.arrayContaining(lines));
    expect(mail?.text).toContain(
      `/admin-dashboard/manage-all-transactions/more-about-transaction/${answer.body.data?._id}`,
    );
    expect(user.userName).toBe("Ada");
  });

  test("a name like a path is only a name; a PDF as well", async ({ deps, submit }) => {
    expect((await submit(formOf({ image: receiptOf(png, "../../../../etc/cron.d/evil.png") }))).status).toBe(201);
    expect((await submit(formOf({ image: receiptOf(pdf, "C:\\receipt.PDF") }))).status).toBe(201);
    const names = await listFiles(deps);
    expect(names.map((name) => name.replace(/^[0-9a-f-]{36}/, "id")).toSorted()).toEqual(["id.pdf", "id.png"]);
  });

  test("the same key answers alike and deposits once, also five times at once; another body is refused", async ({
    submit,
    countDeposits,
    mailsTo,
  }) => {
    const headers = { "idempotency-key": "double-click" };
    const answers = await Promise.all(Array.from({ length: 5 }, () => submit(formOf(), { headers })));
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    expect(answers[0]?.status).toBe(201);
    expect(await countDeposits()).toBe(1);
    expect(await mailsTo("management@ewebal.com")).toHaveLength(1);
    for (const changed of [{ amountDeposited: "20000" }, { image: receiptOf(otherPng) }]) {
      expect(await submit(formOf(changed), { headers })).toMatchObject({
        status: 422,
        body: { code: "IDEMPOTENCY_CONFLICT" },
      });
    }
  });

  test("a refused form leaves its key free", async ({ submit }) => {
    const headers = { "idempotency-key": "again" };
    expect((await submit(formOf({ amountDeposited: "" }), { headers })).status).toBe(400);
    expect((await submit(formOf(), { headers })).status).toBe(201);
  });
});

describe("duplicates are flagged, never refused", () => {
  const flags = async (db: TestDeps["db"]): Promise<boolean[]> =>
    (await db.query<{ is_flagged: boolean }>("select is_flagged from deposit order by deposit_id")).rows.map(
      (row) => row.is_flagged,
    );

  test("the same receipt, also another customer's", async ({ db, submit, mailsTo }) => {
    await submit(formOf({ tellerId: "A1" }));
    await submit(formOf({ tellerId: "B2", image: receiptOf(otherPng) }));
    await submit(formOf({ tellerId: "C3" }), { as: await buildUser(db) });
    expect(await flags(db)).toEqual([true, false, true]);
    const mails = await mailsTo("management@ewebal.com");
    expect(mails.map(({ text }) => text.includes("Possible duplicate"))).toEqual([false, false, true]);
  });

  test.for(["trf 0001", "TRF0001", "Trf/0001", "ＴＲＦ-0001"] as const)(
    "the teller id written %s",
    async (tellerId, { db, submit }) => {
      await submit(formOf());
      await submit(formOf({ tellerId, image: receiptOf(otherPng) }), { as: await buildUser(db) });
      expect(await flags(db)).toEqual([true, true]);
    },
  );

  test("two who report the same slip at one moment are both flagged", async ({ db, deps, user }) => {
    const store = await openFileStore(deps.config);
    const upload = { extension: "png", contentType: "image/png", bytes: png };
    const fields = depositFieldsSchema.parse(requestOf(user.userId).fields);
    const record = async (tx: Tx, userId: string, tellerId: string) => {
      const fileId = await storeFile(deps, store, { ...upload, userId });
      await recordDeposit(deps, tx, { userId, fields: { ...fields, tellerId }, fileId, receiptHash: Buffer.alloc(32) });
    };
    const other = await buildUser(db);
    const [first, second] = await overlap(
      db,
      (tx) => record(tx, user.userId, "ONE"),
      (tx) => record(tx, other.userId, "TWO"),
    );
    expect([first.status, second.status]).toEqual(["fulfilled", "fulfilled"]);
    expect(await flags(db)).toEqual([true, true]);
  });
});

describe("nothing half", () => {
  test("killed between the file and the row: no row, and the file waits for the clean-up", async ({
    db,
    deps,
    user,
  }) => {
    const store = await openFileStore(deps.config);
    const killed: FileStore = {
      ...store,
      put: async (file) => {
        await store.put(file);
        throw new Error("killed here");
      },
    };
    await expect(submitDeposit(deps, killed, requestOf(user.userId))).rejects.toThrow("killed here");
    expect((await db.query("select from deposit")).rowCount).toBe(0);
    expect(await listFiles(deps)).toHaveLength(1);
    expect((await db.query("select from stored_file where kept_at is null")).rowCount).toBe(1);
  });

  test("a transaction that fails leaves no row, no mail, no count, and the file to the clean-up", async ({
    db,
    deps,
    user,
  }) => {
    const jobs = { ...deps.jobs, enqueue: () => Promise.reject(new Error("killed here")) };
    await expect(
      submitDeposit({ ...deps, jobs }, await openFileStore(deps.config), requestOf(user.userId)),
    ).rejects.toThrow("killed here");
    for (const table of ["deposit", "mail", "rate_limit"])
      expect((await db.query(`select from ${table}`)).rowCount, table).toBe(0);
    expect((await db.query("select from stored_file where kept_at is null")).rowCount).toBe(1);
  });
});

function requestOf(userId: string): Parameters<typeof submitDeposit>[2] {
  const fields = {
    depositorName: "A",
    amountDeposited: "5",
    phoneNo: "8031234567",
    tellerId: "T1",
    transactionDate: "2026-03-05",
    bankDeposited: "Ewebal Microfinance Bank",
  };
  return { userId, fields, receipt: { fileName: "a.png", bytes: png }, idempotencyKey: undefined };
}

async function listFiles({ config }: TestDeps): Promise<string[]> {
  const entries = await readdir(join(config.dataDir, "files"), { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => entry.name);
}
