import type { TestProject } from "vitest/node";
import { prepareTestDatabases } from "./test-databases.ts";
import type { TestDatabaseServer } from "./test-databases.ts";
import { startTestServer } from "./test-server.ts";

declare module "vitest" {
  // Merging with the library's own needs an interface.
  // oxlint-disable-next-line typescript/consistent-type-definitions
  interface ProvidedContext {
    testDatabaseServer: TestDatabaseServer;
  }
}

/** One PostgreSQL for the run: the one `DATABASE_URL` names (a role that may create databases), else one of our own. */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const given = process.env["DATABASE_URL"];
  const own = given === undefined || given === "" ? await startTestServer() : undefined;
  const { server, end } = await prepareTestDatabases(own?.url ?? given ?? "").catch(async (error: unknown) => {
    await own?.stop();
    throw error;
  });
  project.provide("testDatabaseServer", server);
  return async () => {
    await end();
    await own?.stop();
  };
}
