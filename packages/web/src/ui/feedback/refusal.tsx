import type { ReactNode } from "react";
import { explainError, type CatalogueScreen } from "../../lib/texts/catalogue-texts.ts";
import { Callout } from "../kit/callout.tsx";
import { ButtonLink } from "../kit/links.tsx";

type RefusalProps = {
  screen: CatalogueScreen;
  /** What the call threw; nothing is shown for undefined. */
  error: unknown;
  /** In place of the button that goes where the catalogue sends the person. */
  action?: ReactNode;
  /** The words on that button. */
  goLabel?: string;
};

/** A refusal near the button that caused it, in the catalogue's words, with one way on. */
export function Refusal({ screen, error, action, goLabel = "Go there" }: RefusalProps) {
  if (error === undefined) return null;
  const { tone, title, text, goTo } = explainError(screen, error);
  const go =
    goTo === undefined ? undefined : (
      <ButtonLink to={goTo} size="xs" variant="default">
        {goLabel}
      </ButtonLink>
    );
  return (
    <Callout tone={tone} title={title} action={action ?? go} isAnnounced>
      {text}
    </Callout>
  );
}
