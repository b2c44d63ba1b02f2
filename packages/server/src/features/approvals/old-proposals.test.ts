/** A credit that waited in its deposit, as versions before the table of approvals kept it, waits among the approvals after the update. */
import { cp, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { v7 as uuidv7 } from "uuid";
import { migrate, MIGRATIONS_FOLDER } from "../../db/migrate.ts";
import { createPool } from "../../db/pool.ts";
import { expect, test } from "../../testing/database.ts";
import { buildDeposit } from "../../testing/deposit-factories.ts";
import { buildUser } from "../../testing/factories.ts";
import { selectWaiting } from "./approval-store.ts";

const VERSION = "0033";

test("a proposal of an older version becomes an approval, and its names are compared as today", async ({
  emptyDatabaseUrl,
}) => {
  const folder = await mkdtemp(join(tmpdir(), "ewebal-migrations-"));
  const db = createPool({ url: emptyDatabaseUrl, applicationName: "ewebal-test" });
  try {
    for (const file of await readdir(MIGRATIONS_FOLDER))
      if (file < VERSION) await cp(join(MIGRATIONS_FOLDER, file), join(folder, file));
    await migrate(db, folder);
    const [user, adminId] = [await buildUser(db, { userName: "Ada", email: "ada@gmail.com" }), uuidv7()];
    await db.query(
      `insert into admin (admin_id, admin_name, admin_full_name, email, contact, password_hash, created_at, updated_at)
       values ($1, 'Bola', 'Bola Obi', 'bola@ewebal.com', '8030000001', 'x', now(), now())`,
      [adminId],
    );
    const deposit = await buildDeposit(db, { userId: user.userId, amountNaira: 10_000 });
    await db.query(
      "update deposit set proposed_milli = 1250000000, proposed_by = $2, proposed_at = now() where deposit_id = $1",
      [deposit.depositId, adminId],
    );
    await db.query(
      "insert into sender_name (user_id, name, skeleton, created_at) values ($1, '2ena 4 Gift', '2ena4glft', now())",
      [user.userId],
    );
    await migrate(db);

    const [approval, ...others] = await selectWaiting(db, { after: undefined, limit: 10 });
    expect(others).toEqual([]);
    expect(approval).toMatchObject({
      kind: "deposit",
      subjectKey: deposit.depositId,
      subjectId: user.userId,
      subjectEmail: "ada@gmail.com",
      what: "Credit 1,250,000 units to Ada, ada@gmail.com, for a deposit of 10,000 naira",
      details: { units: 1_250_000 },
      askedBy: adminId,
    });
    expect((await db.query("select proposed_milli from deposit")).rows).toEqual([{ proposed_milli: null }]);
    expect((await db.query("select skeleton from sender_name")).rows).toEqual([{ skeleton: "zenaaglft" }]);
  } finally {
    await db.end();
    await rm(folder, { recursive: true, force: true });
  }
});
