import { limits } from "@ewebal/contract/rules";

/** A file that was chosen or dropped, or a long paste, which is read as one. */
export type ChosenFile = {
  file: File;
  isPasted: boolean;
};

/** @returns why a file cannot be a list of contacts, before anything of it is read. */
export function refuseFile({ name, size }: { name: string; size: number }): string | undefined {
  if (!/\.csv$/i.test(name)) return "CSV file only. In a spreadsheet, save the list as CSV and choose that file.";
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
