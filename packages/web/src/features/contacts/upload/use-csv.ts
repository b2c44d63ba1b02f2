import type { Rates } from "@ewebal/contract";
import { skipToken, useQuery } from "@tanstack/react-query";
import { useRef } from "react";
import { readCsvInWorker, type ChosenFile } from "../../../shared/numbers/contact-file.ts";
import type { FileWish } from "../../../shared/numbers/file-match.ts";
import type { CsvSummary } from "../../../shared/numbers/read-csv.ts";
type CsvWish = {
  chosen: ChosenFile | undefined;
  code: string;
  rates: Rates;
  /** What the person has said of the columns; the file tells the rest. */
  wish: FileWish | undefined;
  /** Whether the catalog has columns, which the file's are for. */
  takesFields: boolean;
};

type CsvReading = {
  summary: CsvSummary | undefined;
  /** A reading is under way; the summary, if there is one, is of the choice before. */
  isReading: boolean;
  error: Error | null;
  readAgain: () => void;
};

/** What a chosen file holds, read anew when another country or other columns are chosen, or a code is priced apart. */
export function useCsv({ chosen, code, rates, wish, takesFields }: CsvWish): CsvReading {
  const fileId = useFileId(chosen);
  const { data, isFetching, isPlaceholderData, error, refetch } = useQuery({
    queryKey: ["csv", fileId, code, [...rates.keys()], wish, takesFields],
    queryFn:
      chosen === undefined
        ? skipToken
        : async ({ signal }) => await readCsvInWorker({ file: chosen.file, code, rates, wish, takesFields }, signal),
    staleTime: Number.POSITIVE_INFINITY,
    // The wrong rows of a large file are not worth keeping once nobody looks at them.
    gcTime: 0,
    structuralSharing: false,
    placeholderData: (before, query) => (query?.queryKey[1] === fileId ? before : undefined),
  });
  return {
    summary: data,
    isReading: isFetching && (data === undefined || isPlaceholderData),
    error,
    readAgain: () => void refetch(),
  };
}

let lastFileId = 0;

/** A number for each file, because two of them may have one name. */
function useFileId(chosen: ChosenFile | undefined): number {
  const known = useRef<{ chosen: ChosenFile | undefined; id: number }>({ chosen: undefined, id: 0 });
  if (known.current.chosen !== chosen) known.current = { chosen, id: ++lastFileId };
  return known.current.id;
}
