import type { Queryable } from "../../../db/pool.ts";
import { expect, test } from "../../../testing/app.ts";
import { buildCatalog, buildNumbers } from "../../../testing/contacts-factories.ts";
import { buildUser } from "../../../testing/factories.ts";
import { listContacts } from "./list-contacts.ts";

type Plan = {
  "Node Type": string;
  "Index Name"?: string;
  "Shared Hit Blocks": number;
  "Shared Read Blocks": number;
  Plans?: Plan[];
};

function nodesOf(plan: Plan): Plan[] {
  return [plan, ...(plan.Plans ?? []).flatMap(nodesOf)];
}

// Goal: what a search costs depends on the searched catalog alone. Method: one of 100,000 contacts among 20,000 others.
test.for(["", "99999999", "777", "0803123"])(
  "a page of 100,000 contacts with search %j reads one catalog by its key, in few statements",
  async (search, { db }) => {
    const user = await buildUser(db);
    const catalogId = await buildCatalog(db, { userId: user.userId, numbers: buildNumbers(100_000) });
    for (const owner of [user, await buildUser(db)]) {
      await db.query(
        `with made as (
         insert into catalog select $1, gen_random_uuid(), 'A', '234', 1, 1, now() from generate_series(1, 10000) returning user_id, catalog_id
       )
       insert into contact_sheet select user_id, catalog_id, 1, '2348030123777', 1 from made`,
        [owner.userId],
      );
    }
    await db.query("analyze");
    const asked: { text: string; values: unknown[] | undefined }[] = [];
    const spy: Queryable = {
      query: async (text: string, values?: unknown[]) => {
        asked.push({ text, values });
        return await db.query(text, values);
      },
    };
    await listContacts(spy, { userId: user.userId, catalogId }, { limit: 50, search });
    // The catalog itself, and 2, 8, 32 and 64 chunks.
    expect(asked.length).toBeLessThanOrEqual(5);
    for (const { text, values } of asked.slice(1)) {
      const { rows } = await db.query<{ "QUERY PLAN": [{ Plan: Plan }] }>(
        `explain (analyze, buffers, format json) ${text}`,
        values,
      );
      const plan = rows[0]?.["QUERY PLAN"][0].Plan as Plan;
      const nodes = nodesOf(plan);
      expect(nodes.filter((node) => node["Node Type"] === "Seq Scan")).toEqual([]);
      expect(nodes.map((node) => node["Index Name"]).filter((name) => name !== undefined)).toEqual([
        "contact_sheet_pkey",
      ]);
      // 1.4 MB of numbers are 180 blocks of 8 kB; each of 100 chunks is found through the index of what is kept aside.
      expect(plan["Shared Hit Blocks"] + plan["Shared Read Blocks"]).toBeLessThan(1_500);
    }
  },
);
