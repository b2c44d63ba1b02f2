import { expect, test } from "../testing/app.ts";
import { buildUser } from "../testing/factories.ts";
import { cleanUpFilesQueue, fileNameOf, ORPHAN_AGE_MS, storeFile, openFileStore } from "./stored-files.ts";

test("the hourly job removes files that nothing needs, in batches until none is left", async ({ db, deps, clock }) => {
  const { userId } = await buildUser(db);
  const store = await openFileStore(deps.config);
  const fileIds: string[] = [];
  for (let count = 0; count < 101; count += 1) {
    fileIds.push(
      await storeFile(deps, store, {
        userId,
        extension: "pdf",
        contentType: "application/pdf",
        bytes: Buffer.from("%PDF-"),
      }),
    );
  }
  clock.advance(ORPHAN_AGE_MS + 1);
  await cleanUpFilesQueue.handle(deps, {});
  expect((await db.query("select from stored_file")).rowCount).toBe(0);
  expect(await store.get(fileNameOf({ fileId: fileIds[0] ?? "", extension: "pdf" }))).toBeUndefined();
});
