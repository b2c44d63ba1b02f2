import { useLayoutEffect, useState } from "react";
import { useQuery } from "@tanstack/react-query";
import { ButtonLink } from "../../../ui/kit/links.tsx";
import { ListStates } from "../../../ui/lists/list-states.tsx";
import { Panel } from "../../../ui/layout/panel.tsx";
import { ComposeForm } from "./compose-form.tsx";
import type { Source } from "./composer.ts";
import type { SendForm } from "./send-form.ts";
import { ApiError } from "../../../lib/api/api.ts";

type SourceFormProps = {
  sourceQuery: SourceQuery;
  /** What the form is for that source. */
  form: (source: Source) => SendForm;
  /** What is said when the draft or message is not there any more. */
  notFound: { title: string; backTo: string; backLabel: string };
};

/** A form that begins with a draft or an earlier message; its loading, its absence and its failure look like a list's. */
export function SourceForm({ sourceQuery: { source, query }, form, notFound }: SourceFormProps) {
  if (source !== undefined) return <FilledForm source={source} form={form} />;
  const back = <ButtonLink to={notFound.backTo}>{notFound.backLabel}</ButtonLink>;
  return (
    <Panel>
      <ListStates query={query} rowCount={0} empty={{ title: notFound.title, action: back }}>
        {null}
      </ListStates>
    </Panel>
  );
}

function FilledForm({ source, form: makeForm }: { source: Source; form: (source: Source) => SendForm }) {
  // What is read again later does not replace what is being typed.
  const [{ form, first }] = useState(() => ({ form: makeForm(source), first: source }));
  // Before the page is drawn, and before the only approved name is put into what looks like an empty form.
  useLayoutEffect(() => form.composer.takeOver(first), [form, first]);
  return <ComposeForm form={form} />;
}

type SourceOptions = {
  /** Which form, and of which draft or message. */
  queryKey: readonly [form: string, userId: string, id: string];
  read: (signal: AbortSignal) => Promise<Source>;
};

type SourceQuery = {
  source: Source | undefined;
  /** For `ListStates`; what is missing is no failure. */
  query: { isPending: boolean; error: Error | null; refetch: () => unknown };
};

/**
 * What a form begins with. Read once each time the form is opened: a hint that it has changed elsewhere must not take away
 * what is being typed.
 */
export function useSource({ queryKey, read }: SourceOptions): SourceQuery {
  const { data, error, isPending, refetch } = useQuery({
    queryKey,
    queryFn: async ({ signal }) => await readUnlessGone(read, signal),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  return { source: data ?? undefined, query: { isPending, error, refetch } };
}

/** @returns null for what is not there any more. */
async function readUnlessGone(read: SourceOptions["read"], signal: AbortSignal): Promise<Source | null> {
  try {
    return await read(signal);
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return null;
    throw error;
  }
}
