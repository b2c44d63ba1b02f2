import { limits } from "@ewebal/contract/rules";
import { formatCount } from "../../lib/texts/format.ts";
import type { CsvSummary, CsvTask } from "./read-csv.ts";

/** A file that was chosen or dropped, or a long paste, which is read as one. */
export type ChosenFile = {
  file: File;
  isPasted: boolean;
};

/** @returns why a file cannot be a list of contacts, before anything of it is read. */
export function refuseFile({ name, size }: { name: string; size: number }): string | undefined {
  if (/\.(?:xls|ods|numbers)$/i.test(name))
    return "Save the list as an Excel workbook (.xlsx) or as CSV, and choose that file.";
  if (!/\.(?:csv|tsv|txt|xlsx|vcf)$/i.test(name)) return "CSV, Excel (.xlsx) and contact card (.vcf) files only.";
  if (size === 0) return "The file is empty.";
  if (size > limits.contactFileBytesMax)
    return `The file is larger than ${fileSizeInWords(limits.contactFileBytesMax)}. Split it into several files.`;
  return undefined;
}

export function fileFromPaste(text: string): ChosenFile {
  return { file: new File([text], "pasted-numbers.csv", { type: "text/csv" }), isPasted: true };
}

/** `320 kB`, `1.4 MB` */
export function fileSizeInWords(bytes: number): string {
  const kilobytes = bytes / 1024;
  if (kilobytes < 1024) return `${Math.max(1, Math.round(kilobytes))} kB`;
  return `${Number((kilobytes / 1024).toFixed(1))} MB`;
}

/** Why a file holds no list of numbers, in words. */
export function explainUnreadable(summary: Exclude<CsvSummary, { kind: "read" }>): string {
  if (summary.kind === "open-quote")
    return `Line ${formatCount(summary.row)} has an opening quotation mark but no closing one`;
  return summary.kind === "too-many"
    ? "The file has more than 1,000,000 numbers"
    : "This file is damaged, or it is not what its name says";
}

/**
 * Reads a contact file beside the page.
 *
 * @throws Error when the worker could not be fetched, or the file could not be read; AbortError when nobody waits any more.
 */
export async function readCsvInWorker(task: CsvTask, signal: AbortSignal): Promise<CsvSummary> {
  signal.throwIfAborted();
  const worker = new Worker(new URL("./csv-worker.ts", import.meta.url), { type: "module" });
  const reading = Promise.withResolvers<CsvSummary>();
  worker.addEventListener("message", ({ data }: MessageEvent<CsvSummary>) => reading.resolve(data));
  worker.addEventListener("error", () => reading.reject(new Error("The file could not be read")));
  signal.addEventListener("abort", () => reading.reject(signal.reason as Error));
  worker.postMessage(task);
  try {
    return await reading.promise;
  } finally {
    worker.terminate();
  }
}
