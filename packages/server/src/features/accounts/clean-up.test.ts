import { expect, test } from "../../testing/app.ts";
import { buildUser } from "../../testing/factories.ts";
import { cleanUp } from "./clean-up.ts";
import { issueToken } from "./one-time-token.ts";

const DAY_MS = 24 * 3_600_000;

test("what is over goes, what is alive stays", async ({ db, deps, clock, signInAs }) => {
  const user = await buildUser(db);
  const old = clock.now();
  await signInAs(user);
  await issueToken(deps, db, { purpose: "verify-user", actorId: user.userId });
  await db.query("insert into rate_limit values (sha256('old'), 1, $1)", [old]);
  await db.query(
    "insert into mail (mail_id, recipient, subject, created_at, sent_at) values (gen_random_uuid(), 'a@b.com', 'sent', $1, $1)",
    [old],
  );
  await db.query(
    "insert into mail (mail_id, recipient, subject, text_body, html_body, created_at) values (gen_random_uuid(), 'a@b.com', 'unsent', 'x', 'x', $1)",
    [old],
  );
  await db.query(
    "insert into idempotent_answer (actor_id, scope, key, fingerprint, created_at) values ($1, 'x', 'k', sha256('x'), $2)",
    [user.userId, old],
  );

  clock.advance(91 * DAY_MS);
  await signInAs(user);
  await issueToken(deps, db, { purpose: "verify-user", actorId: user.userId });
  await db.query("insert into rate_limit values (sha256('new'), 1, $1)", [new Date(clock.now().getTime() + 1)]);
  await cleanUp(deps);
  await cleanUp(deps); // A job may run twice.

  for (const table of ["session", "one_time_token", "rate_limit", "mail"])
    expect((await db.query(`select from ${table}`)).rowCount, table).toBe(1);
  expect((await db.query("select subject from mail")).rows).toEqual([{ subject: "unsent" }]);
  expect((await db.query("select from idempotent_answer")).rowCount).toBe(0);
});
