/**
 * The cells of a workbook (.xlsx), streamed: the archive is read entry by entry from the file (yauzl). What expands is counted while it is read,
 * whatever the archive says of itself.
 */
import { PassThrough } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createInflateRaw } from "node:zlib";
import type { FileHandle } from "node:fs/promises";
import type { CsvCell } from "@ewebal/contract";
import { TooMuchText, WorkbookReader, type Sheet, type WorkbookEntries } from "@ewebal/contract/files";
import yauzl, { type Entry, type ZipFile } from "yauzl";
import { AppError, fieldError } from "../../../base/errors.ts";

/** Node's own 16 kB take five times as long to be handed on. */
const EXPANDED_PIECE_BYTES = 256 * 1024;
const EXPANDED_BYTES_MAX = 512 * 1024 * 1024;
const ENTRIES_MAX = 10_000;

/**
 * @param sheet its name; without one the only sheet that holds anything is read.
 * @param onCell called for each cell that holds more than white space, row by row.
 * @throws AppError `VALIDATION` at `csv` for what is no workbook, is damaged or expands too far, at `sheet` for a choice that is to be made.
 */
export async function readWorkbook(
  handle: FileHandle,
  sheet: string | undefined,
  onCell: (cell: CsvCell) => void,
): Promise<void> {
  const archive = await Archive.open(handle);
  try {
    const workbook = new WorkbookReader(archive);
    const path = await findSheet(workbook, sheet);
    if (path !== undefined) await workbook.readSheet(path, onCell);
  } catch (error) {
    if (error instanceof AppError) throw error;
    if (error instanceof TooMuchText) throw fieldError("csv", "has more text than a list of contacts");
    throw damaged(error);
  } finally {
    archive.close();
  }
}

function damaged(cause: unknown): AppError {
  return new AppError("VALIDATION", { fields: { csv: "is not a whole workbook (.xlsx)" }, cause });
}

/** @returns undefined for a workbook without any cell. */
async function findSheet(workbook: WorkbookReader, name: string | undefined): Promise<string | undefined> {
  const sheets = await workbook.listSheets();
  if (name !== undefined) {
    const found = sheets.find((sheet) => sheet.name === name);
    if (found === undefined) throw chooseSheet("is no sheet of this workbook", sheets);
    return found.path;
  }
  const filled: Sheet[] = [];
  for (const sheet of sheets) if (await workbook.holdsCells(sheet.path)) filled.push(sheet);
  if (filled.length > 1) throw chooseSheet("has to be chosen: several hold rows", filled);
  return filled[0]?.path;
}

function chooseSheet(reason: string, sheets: readonly Sheet[]): AppError {
  return new AppError("VALIDATION", { fields: { sheet: reason }, extra: { sheets: sheets.map(({ name }) => name) } });
}

class Archive implements WorkbookEntries {
  readonly #zip: ZipFile;
  readonly #entries: ReadonlyMap<string, Entry>;
  /** Those whose length was looked at: a sheet is read once to find it, and once for its rows. */
  readonly #measured = new Set<Entry>();
  #expandedBytes = 0;

  private constructor(zip: ZipFile, entries: ReadonlyMap<string, Entry>) {
    this.#zip = zip;
    this.#entries = entries;
  }

  static async open(handle: FileHandle): Promise<Archive> {
    try {
      // Sizes are counted here, and names are looked up, never written.
      const zip = await yauzl.fromFdPromise(handle.fd, {
        autoClose: false,
        lazyEntries: true,
        validateEntrySizes: false,
      });
      const entries = new Map<string, Entry>();
      for await (const entry of zip.eachEntry()) {
        if (entries.size >= ENTRIES_MAX) throw new Error("too many entries");
        entries.set(entry.fileName.replace(/^\//, ""), entry);
      }
      if (!entries.has("xl/workbook.xml")) throw new Error("no workbook");
      return new Archive(zip, entries);
    } catch (error) {
      throw damaged(error);
    }
  }

  /** The file belongs to the caller. */
  close(): void {
    this.#zip.removeAllListeners();
  }

  has(path: string): boolean {
    return this.#entries.has(path);
  }

  async read(path: string, take: (text: string) => void): Promise<void> {
    const entry = this.#entries.get(path);
    if (entry === undefined) throw damaged(new Error(`no ${path}`));
    await this.#refuseBomb(entry);
    const decoder = new TextDecoder();
    await this.#expand(entry, (piece) => take(decoder.decode(piece, { stream: true })));
    take(decoder.decode());
  }

  /** Looks at nothing but the length: that takes a tenth of the time of reading, and not from everybody else. */
  async #refuseBomb(entry: Entry): Promise<void> {
    if (this.#measured.has(entry)) return;
    this.#measured.add(entry);
    await this.#expand(entry, ({ byteLength }) => {
      this.#expandedBytes += byteLength;
      if (this.#expandedBytes > EXPANDED_BYTES_MAX) throw fieldError("csv", "expands to more than 512 MB");
    });
  }

  async #expand(entry: Entry, take: (piece: Buffer) => void): Promise<void> {
    const stored = await this.#zip.openReadStreamPromise(entry, { decodeFileData: false });
    const isStored = entry.compressionMethod === 0;
    await pipeline(
      stored,
      isStored ? new PassThrough() : createInflateRaw({ chunkSize: EXPANDED_PIECE_BYTES }),
      async (pieces: AsyncIterable<Buffer>) => {
        for await (const piece of pieces) take(piece);
      },
    );
  }
}
