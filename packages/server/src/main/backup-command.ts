/** `npm run backup -- FILE`. */
import { backUp } from "../backup/back-up.ts";
import { runCommand } from "../backup/run-command.ts";

const HELP = `npm run backup -- FILE

Writes a back-up of everything to FILE while the product works: the database of DATABASE_URL (or the embedded one of DATA_DIR) as of one
moment, uploaded files, and the keys in DATA_DIR/secrets. Encrypted when BACKUP_KEY is set. FILE must not exist yet.
Ends with 0 when FILE is whole, else with 1 and no FILE.`;

await runCommand(
  {
    help: HELP,
    failure: "No back-up was made",
    hasTarget: false,
    run: async (path, { config, db, files, onProgress }) => {
      const { createdAt, rowCount, tableCount, filesDone, byteCount, missingFiles } = await backUp(path, {
        db,
        files,
        config,
        onProgress,
      });
      const missing = missingFiles.length === 0 ? "" : `; ${missingFiles.length} files are missing in the file store`;
      const sealed = config.backupKey === undefined ? "not encrypted" : "encrypted";
      return `Backed up ${rowCount.toLocaleString("en")} rows of ${tableCount} tables and ${filesDone - missingFiles.length} files as of ${createdAt.toISOString()} to ${path} (${byteCount.toLocaleString("en")} bytes, ${sealed})${missing}.`;
    },
  },
  process.argv.slice(2),
);
