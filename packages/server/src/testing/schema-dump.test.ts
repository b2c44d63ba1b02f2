import { readFile } from "node:fs/promises";
import { describe } from "vitest";
import { expect, test } from "./database.ts";
import { createPool } from "../db/pool.ts";
import { dumpSchema } from "./schema-dump.ts";

const SCHEMA_FILE = new URL("../../schema.sql", import.meta.url);

test("schema.sql says what the migrations make", async ({ db }) => {
  const written = await readFile(SCHEMA_FILE, "utf8").catch((error: unknown) => String(error));
  expect(await dumpSchema(db), "The schema has changed: run `npm run schema -w packages/server`").toBe(written);
});

describe("the dump", () => {
  test("makes the same schema when it is loaded into an empty database", async ({ db, emptyDatabaseUrl }) => {
    const dump = await dumpSchema(db);
    const empty = createPool({ url: emptyDatabaseUrl });
    await empty.query(dump);
    expect(await dumpSchema(empty)).toBe(dump);
    await empty.end();
  });

  test("shows every kind of change", async ({ emptyDatabaseUrl }) => {
    // Without our tables, which take a second to dump, and 21 changes are dumped.
    const db = createPool({ url: emptyDatabaseUrl });
    await db.query("create table probe (id integer primary key, amount bigint)");
    const changes = [
      "alter table probe add column name text",
      "alter table probe alter column name set default 'none'",
      "alter table probe alter column name set not null",
      "alter table probe alter column amount type numeric(10, 2)",
      "alter table probe add constraint probe_amount_check check (amount > 0)",
      "alter table probe add column parent_id integer references probe",
      "alter table probe alter column name set storage external",
      "alter table probe set (fillfactor = 50)",
      "alter table probe set unlogged",
      "create index probe_name on probe (name) where amount > 0",
      "create sequence probe_number",
      "create type mood as enum ('calm')",
      "alter type mood add value 'busy'",
      "create view probe_view as select id from probe",
      "create function probe_function() returns trigger language plpgsql as 'begin return new; end'",
      "create or replace function probe_function() returns trigger language plpgsql as 'begin return null; end'",
      "create trigger probe_trigger before insert on probe for each row execute function probe_function()",
      "alter table probe enable always trigger probe_trigger",
      "comment on column probe.amount is 'in kobo'",
      "create table probe_split (id integer) partition by range (id)",
      "create table probe_split_low partition of probe_split for values from (0) to (10)",
    ];
    let before = await dumpSchema(db);
    for (const change of changes) {
      await db.query(change);
      const after = await dumpSchema(db);
      expect(after, change).not.toBe(before);
      before = after;
    }
    await db.end();
  });

  test("refuses kinds of objects that it cannot show", async ({ db }) => {
    await db.query("create domain kobo as bigint check (value >= 0); create table probe (id serial)");
    await expect(dumpSchema(db)).rejects.toThrow(/kobo \(type of kind d\), probe_id_seq \(sequence owned by a column/);
  });
});
