import { setTimeout as sleep } from "node:timers/promises";
import type { Client } from "pg";
import { SQL_STATE, sqlStateOf } from "../db/sql-state.ts";
import { urlOf, withClient } from "./citus-cluster.ts";
import { testDatabaseName, type TestDatabaseServer } from "./test-databases.ts";

let databaseCount = 0;
const DROP_TRIES_MAX = 50;

/**
 * Lends a distributed database that is empty but for what migrations write: a copy on each server, made and dropped at once on all of them. 0.2 s
 * in memory with four shards; to empty one by statements took as long.
 */
export async function lendClusterDatabase(
  server: TestDatabaseServer,
  use: (url: string) => Promise<void>,
): Promise<void> {
  databaseCount += 1;
  const name = testDatabaseName(server, `${process.pid}_cluster_${databaseCount}`);
  const [coordinator = "", ...others] = server.clusterUrls ?? [];
  const owner = new URL(server.url).username;
  const onAll = async (statement: string, triesMax = 1): Promise<void> => {
    const run = async (url: string): Promise<void> =>
      await withClient(url, async (client) => await tryOften(client, statement, triesMax));
    await Promise.all([coordinator, ...others].map(run));
  };
  try {
    await onAll(`create database ${name} template ${server.template} owner ${owner} strategy file_copy`);
    await use(urlOf(coordinator, name, owner));
  } finally {
    await onAll(`drop database if exists ${name} with (force)`, DROP_TRIES_MAX);
  }
}

/** The cluster's own process of a database is ended with it, and now and then comes back before the database is gone. */
async function tryOften(client: Client, statement: string, triesMax: number): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      await client.query(statement);
      return;
    } catch (error) {
      if (sqlStateOf(error) !== SQL_STATE.objectInUse || tries >= triesMax) throw error;
      await sleep(100);
    }
  }
}
