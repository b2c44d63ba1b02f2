import { describe } from "vitest";
import { expect, test } from "../testing/database.ts";
import {
  constraintOf,
  isCheckViolation,
  isConnectionLost,
  isForeignKeyViolation,
  isInternal,
  isUniqueViolation,
  sqlStateOf,
} from "./sql-state.ts";

describe("violations", () => {
  test("are told apart by kind and by constraint", async ({ db }) => {
    await db.query(`
      create table parent (id integer primary key);
      create table child (
        id integer constraint child_pkey primary key,
        parent_id integer constraint child_parent_fkey references parent,
        amount integer constraint child_amount_check check (amount > 0)
      );
      insert into child values (1, null, 1)`);
    const errorOf = async (values: string): Promise<unknown> => {
      return await db.query(`insert into child values (${values})`).catch((error: unknown) => error);
    };
    const duplicate = await errorOf("1, null, 1");
    const orphan = await errorOf("2, 9, 1");
    const negative = await errorOf("3, null, -1");

    expect(isUniqueViolation(duplicate)).toBe(true);
    expect(isUniqueViolation(duplicate, "child_pkey")).toBe(true);
    expect(isUniqueViolation(duplicate, "other_key")).toBe(false);
    expect(isUniqueViolation(orphan)).toBe(false);
    expect(isForeignKeyViolation(orphan, "child_parent_fkey")).toBe(true);
    expect(isCheckViolation(negative, "child_amount_check")).toBe(true);
    expect(constraintOf(negative)).toBe("child_amount_check");
  });

  test("what is no error of PostgreSQL has no SQLSTATE and is no violation", () => {
    for (const value of [undefined, null, "23505", { code: "23505" }, new Error("plain")]) {
      expect(sqlStateOf(value)).toBeUndefined();
      expect(isUniqueViolation(value)).toBe(false);
      expect(isConnectionLost(value)).toBe(false);
    }
    expect(sqlStateOf(Object.assign(new Error("socket"), { code: "EPIPE" }))).toBe(undefined);
  });

  test("are told by their words where a cluster passes nothing else on, and by the names of the schema", () => {
    const relayed = (message: string, fields: object = { code: "XX000" }): Error =>
      Object.assign(new Error(message), fields);
    const duplicate = relayed('duplicate key value violates unique constraint "catalog_pkey_102188"');
    expect(isUniqueViolation(duplicate, "catalog_pkey")).toBe(true);
    expect(isUniqueViolation(duplicate, "catalog_pkey_102188")).toBe(false);
    expect(isCheckViolation(duplicate)).toBe(false);
    const negative = 'new row for relation "hold_102555" violates check constraint "hold_never_overdrawn"';
    expect(isCheckViolation(relayed(negative, { code: "23514" }), "hold_never_overdrawn")).toBe(true);
    expect(isConnectionLost(relayed("terminating connection due to administrator command"))).toBe(true);
    expect(isInternal(relayed("terminating connection due to administrator command"))).toBe(false);
    expect(sqlStateOf(relayed("cache lookup failed"))).toBe("XX000");
    expect(isConnectionLost(relayed("cache lookup failed"))).toBe(false);
    expect(isInternal(relayed("cache lookup failed"))).toBe(true);
    expect(constraintOf(relayed('a constraint "x" in words', { code: "42P01" }))).toBeUndefined();
  });

  test.for([
    "failure on connection marked as essential: db1:5432",
    "failed to prepare transaction 'citus_0_7_9_1' on host db1:5432",
    "postmaster was shut down, exiting",
    "execution cannot recover from multiple connection failures. Last node failed db1:5432",
    "could not receive data from server: Connection reset by peer",
    "connection to server failed: FATAL:  the database system is starting up",
  ])("a server of the cluster that is gone is a lost connection: %s", (message) => {
    expect(isConnectionLost(Object.assign(new Error(message), { code: "XX000" }))).toBe(true);
    expect(isConnectionLost(Object.assign(new Error(message), { code: "42601" }))).toBe(false);
  });

  test("so is one that goes away while rows are copied to it, and a fault of the own disk is not", () => {
    const ofDisk = (message: string): Error => Object.assign(new Error(message), { code: "58030" });
    expect(isConnectionLost(ofDisk("failed to COPY to shard 102188 on db1:5432"))).toBe(true);
    expect(isConnectionLost(ofDisk("failed to complete COPY on db1:5432"))).toBe(true);
    const unreadable = ofDisk('could not read block 7 in file "base/16385/16421": Input/output error');
    expect([isConnectionLost(unreadable), isInternal(unreadable)]).toEqual([false, true]);
  });
});
