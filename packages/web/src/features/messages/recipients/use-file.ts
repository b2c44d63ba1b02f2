import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import type { ChosenFile } from "../../../shared/numbers/contact-file.ts";
import { useRateTable } from "../../../shared/rates/use-rate-table.ts";
import type { Composer } from "../compose/composer.ts";
import type { Note } from "./read-recipients-file.ts";

export type FileReading = {
  read: (file: File) => void;
  /** Takes a range that was copied from a spreadsheet. */
  readPaste: (text: string) => void;
  isReading: boolean;
  /** What is wrong with the file that was chosen last, or with some of it. */
  note: Note | undefined;
  /** A file with more than numbers: a person says what its columns are. */
  chosen: ChosenFile | undefined;
  close: () => void;
};

/** Reads a file of recipients: bare numbers become a list at once, for everything else a person matches the columns. */
export function useFile(composer: Composer): FileReading {
  const rates = useRateTable();
  const [chosen, setChosen] = useState<ChosenFile>();
  const { mutate, isPending, data, error } = useMutation({
    mutationFn: async (wanted: ChosenFile): Promise<Note | undefined> => {
      const { readRecipientsFile } = await import("./read-recipients-file.ts");
      const outcome = await readRecipientsFile(composer, wanted, rates);
      if (outcome.kind === "read") return outcome.note;
      setChosen(wanted);
      return undefined;
    },
  });
  const failed: Note = { tone: "error", title: "The file could not be read", text: "Choose it again." };
  return {
    read: (file) => mutate({ file, isPasted: false }),
    readPaste: (text) => mutate({ file: new File([text], "pasted.tsv", { type: "text/plain" }), isPasted: true }),
    isReading: isPending,
    note: error === null ? data : failed,
    chosen,
    close: () => setChosen(undefined),
  };
}
