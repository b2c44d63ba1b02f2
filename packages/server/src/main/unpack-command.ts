/** `npm run unpack -- FILE FOLDER`. */
import { readConfig } from "../base/config.ts";
import { unpackMonth } from "../backup/unpack.ts";

const HELP = `npm run unpack -- FILE FOLDER

Writes the CSV files of a month that was removed (KEEP_MONTHS) into FOLDER: recipients.csv (what became of each), parts.csv (the carriers' ids of long
messages) and numbers.csv (to whom each message went). An encrypted FILE needs its BACKUP_KEY. Files that are there already are not overwritten.
Ends with 0 when everything was written, else with 1.`;

const args = process.argv.slice(2);
const [path, folder, ...others] = args;
if (args.includes("--help")) process.stdout.write(`${HELP}\n`);
else if (path === undefined || folder === undefined || others.length > 0)
  fail("name one file and one folder; --help says more");
else {
  try {
    const names = await unpackMonth(path, folder, readConfig(process.env).backupKey);
    process.stdout.write(`Wrote ${names.join(", ")} to ${folder}.\n`);
  } catch (error) {
    fail((error instanceof Error ? error.message : String(error)).replace(/\.$/, ""));
  }
}

function fail(reason: string): void {
  process.stderr.write(`Nothing more was unpacked: ${reason}.\n`);
  process.exitCode = 1;
}
