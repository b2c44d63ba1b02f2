import { useLayoutEffect, useState } from "react";
import { ButtonLink } from "../../../ui/kit/links.tsx";
import { ListStates } from "../../../ui/lists/list-states.tsx";
import { Panel } from "../../../ui/layout/panel.tsx";
import { ComposeForm } from "./compose-form.tsx";
import type { Source } from "./composer.ts";
import type { SendForm } from "./send-form.ts";
import type { SourceQuery } from "./use-source.ts";

type SourceFormProps = {
  sourceQuery: SourceQuery;
  /** What the form is for that source. */
  form: (source: Source) => SendForm;
  /** What is said when the draft or message is not there any more. */
  gone: { title: string; backTo: string; backLabel: string };
};

/** A form that begins with a draft or an earlier message; its loading, its absence and its failure look like a list's. */
export function SourceForm({ sourceQuery: { source, query }, form, gone }: SourceFormProps) {
  if (source !== undefined) return <FilledForm source={source} form={form} />;
  const back = <ButtonLink to={gone.backTo}>{gone.backLabel}</ButtonLink>;
  return (
    <Panel>
      <ListStates query={query} rowCount={0} empty={{ title: gone.title, action: back }}>
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
