/** `npm run restore -- FILE [--into DATABASE_URL]`. */
import { runCommand } from "../backup/run-command.ts";

const HELP = `npm run restore -- FILE [--into DATABASE_URL]

Brings the back-up in FILE into an empty database: that of --into, else of DATABASE_URL, else the embedded one of DATA_DIR. Files and keys go where
the settings say (FILE_STORE, DATA_DIR). An encrypted back-up needs its BACKUP_KEY. All of the database is restored or nothing.

What was being sent at that time is held until an administrator releases or refuses it; everybody has to sign in again.
Ends with 0 when everything is restored and the ledger adds up, else with 1.`;

await runCommand(
  {
    help: HELP,
    failure: "Nothing was restored",
    hasTarget: true,
    run: async (path, { config, log, db, files, onProgress }) => {
      // With it comes the whole program, whose jobs are installed; --help does not wait for that.
      const { restore } = await import("../backup/restore.ts");
      const { createdAt, rowCount, tableCount, filesDone, heldCount } = await restore(path, {
        db,
        files,
        config,
        log,
        onProgress,
      });
      return `Restored ${rowCount.toLocaleString("en")} rows of ${tableCount} tables and ${filesDone} files as of ${createdAt.toISOString()}; ${heldCount} messages are held until an administrator decides.`;
    },
  },
  process.argv.slice(2),
);
