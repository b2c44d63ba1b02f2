import type { AddedAnswer } from "@ewebal/contract";
import { contactCalls } from "@ewebal/contract/calls";
import { DEFAULT_COUNTRY_CODE, readRecipients } from "@ewebal/contract/rules";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useEffect, useMemo, useRef, useState } from "react";
import { call } from "../../../lib/api/api.ts";
import { paths } from "../../../lib/paths.ts";
import { upload } from "../../../lib/api/upload.ts";
import { useRateTable } from "../../../shared/rates/use-rate-table.ts";
import { showNotice } from "../../../ui/feedback/notices.tsx";
import { catalogQuery } from "../catalog-queries.ts";
import { codeOf, findMissing, type ImportForm } from "./import-form.ts";
import { mappingOf, type FileMatch, type FileWish } from "../../../shared/numbers/file-match.ts";
import type { CsvSummary } from "../../../shared/numbers/read-csv.ts";
import { IdempotencyKey } from "../../../lib/api/idempotency-key.ts";
import { keepLeftOut } from "./left-out-rows.tsx";
import { useCsv } from "./use-csv.ts";

const empty: ImportForm = {
  target: "new",
  catalogName: "",
  newCode: DEFAULT_COUNTRY_CODE,
  catalog: undefined,
  source: "file",
  chosen: undefined,
  wish: undefined,
  phoneNo: "",
  onlyGood: false,
};

/** The upload page's form: what is filled in, what was read of it, and the way to the server. */
export function useImport(userId: string) {
  const [form, setForm] = useState(empty);
  const set = (fields: Partial<ImportForm>): void => setForm((current) => ({ ...current, ...fields }));
  useCatalogOfAddress(userId, set);

  const code = codeOf(form);
  const rates = useRateTable();
  const takesFields = form.target === "existing" && (form.catalog?.columns.length ?? 0) > 0;
  const csv = useCsv({ chosen: form.chosen, code, rates, wish: form.wish, takesFields });
  const typed = useMemo(() => readRecipients(form.phoneNo, code, rates), [form.phoneNo, code, rates]);
  const missing = findMissing(form, { typed, ...csv });
  const sending = useSending(userId);
  return {
    form,
    set,
    code,
    csv,
    typed,
    missing,
    ...sending,
    send: () => sending.send({ form, match: matchOf(csv.summary) }),
  };
}

function matchOf(summary: CsvSummary | undefined): FileMatch | undefined {
  return summary?.kind === "read" ? summary.match : undefined;
}

export type Import = ReturnType<typeof useImport>;

/** A link from a catalog names it in the address. */
function useCatalogOfAddress(userId: string, set: (fields: Partial<ImportForm>) => void): void {
  const search: { catalogId?: unknown } = useSearch({ strict: false });
  const catalogId = typeof search.catalogId === "string" ? search.catalogId : "";
  const { data: catalog } = useQuery({ ...catalogQuery(userId, catalogId), enabled: catalogId !== "" });
  const isTaken = useRef(false);
  useEffect(() => {
    if (catalog === undefined || isTaken.current) return;
    isTaken.current = true;
    set({ target: "existing", catalog });
  }, [catalog, set]);
}

function useSending(userId: string) {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const [key] = useState(() => new IdempotencyKey());
  const [share, setShare] = useState(0);
  const ending = useRef<AbortController>(undefined);
  // Leaving the page stops the upload; the server adds nothing of an incomplete file.
  useEffect(() => () => ending.current?.abort(), []);

  const { mutate, isPending, error, reset } = useMutation({
    mutationFn: async ({ form, match }: Sending) => {
      const ender = new AbortController();
      ending.current = ender;
      setShare(0);
      return await sendImport(
        userId,
        { form, match },
        {
          key: key.keyFor(contentsOf(form)),
          signal: ender.signal,
          onProgress: setShare,
        },
      );
    },
    onSuccess: async ({ message, data }) => {
      key.renew();
      await Promise.all([
        queryClient.invalidateQueries({ queryKey: ["catalogs"] }),
        queryClient.invalidateQueries({ queryKey: ["catalog", data._id] }),
      ]);
      // It names how many were added, were already there, and were left out.
      showNotice({ title: message });
      const { _id: catalogId, wrong: count, wrongRows: file } = data;
      keepLeftOut(file === undefined ? undefined : { catalogId, message, count, file });
      await navigate({ to: paths.allContacts });
    },
  });
  const isStopped = error instanceof DOMException && error.name === "AbortError";
  return {
    isSending: isPending,
    /** How much of the file has left, 0 to 1. */
    share,
    error: isStopped ? null : error,
    send: mutate,
    forgetError: reset,
    stop: () => ending.current?.abort(),
  };
}

type Sent = {
  message: string;
  data: AddedAnswer;
};

type SendOptions = {
  key: string;
  signal: AbortSignal;
  onProgress: (share: number) => void;
};

/** A form, and what its file's columns were read as. */
type Sending = { form: ImportForm; match: FileMatch | undefined };

async function sendImport(
  userId: string,
  { form, match }: Sending,
  { key, signal, onProgress }: SendOptions,
): Promise<Sent> {
  const { target, catalog, phoneNo, onlyGood, source, chosen, wish } = form;
  const headers = { "idempotency-key": key };
  const newCatalog = { catalogName: form.catalogName.trim(), code: form.newCode };
  const params = { userId, catalogId: catalog?._id ?? "" };
  if (source === "numbers") {
    return target === "new"
      ? await call(contactCalls.insertToNewTel, {
          params: { userId },
          body: { ...newCatalog, phoneNo, onlyGood },
          headers,
          signal,
        })
      : await call(contactCalls.insertToExistingTel, { params, body: { phoneNo, onlyGood }, headers, signal });
  }
  const fields = {
    ...(target === "new" && newCatalog),
    onlyGood: String(onlyGood),
    ...columnsOf(match, wish),
  };
  const body = new FormData();
  for (const [name, value] of Object.entries(fields)) body.set(name, value);
  // Last, so that the server knows what the file is for before it arrives.
  if (chosen !== undefined) body.set("csv", chosen.file, chosen.file.name);
  const parts = { form: body, headers, signal, onProgress };
  return target === "new"
    ? await upload(contactCalls.uploadToNewTel, { params: { userId }, ...parts })
    : await upload(contactCalls.uploadToExistingTel, { params, ...parts });
}

/** What the server is told of the columns; of what it guesses the same, nothing. */
function columnsOf(match: FileMatch | undefined, wish: FileWish | undefined): Record<string, string> {
  const mapping = match && mappingOf(match);
  if (mapping !== undefined) return { mapping: JSON.stringify(mapping) };
  return wish?.numbers === undefined ? {} : { columns: wish.numbers.join(",") };
}

/** What makes two sends the same one. */
function contentsOf({ chosen, catalog, ...fields }: ImportForm): unknown[] {
  return [fields, catalog?._id, chosen?.file.name, chosen?.file.size, chosen?.file.lastModified];
}
