import type { SendAnswer } from "@ewebal/contract";
import { ApiError } from "../../../lib/api/api.ts";
import { explainAnswer, explainError, type Explanation } from "../../../lib/texts/catalogue-texts.ts";
import { formatCounted, formatUnits } from "../../../lib/texts/format.ts";
import { paths } from "../../../lib/paths.ts";

/** The words for an accepted send: "503 with dnd" is one, and has the catalogue's own. */
export function explainSent(answer: SendAnswer): Explanation {
  const explanation = explainAnswer("sendSms", answer.dnd === true ? 503 : 200, answer.message);
  if (explanation.text !== undefined) return explanation;
  const { charged, available } = answer.unitDetails;
  return {
    ...explanation,
    text: `${recipientsOf(answer)}, ${formatUnits(charged)} units charged, ${formatUnits(available)} left`,
  };
}

/** The words for a message that waits for its time; its units are reserved, not charged yet. */
export function explainScheduled(answer: SendAnswer): Explanation {
  const { charged, available, dnd } = answer.unitDetails;
  const skipped = dnd === 0 ? "" : `. ${formatCounted(dnd, "DND number")} will be skipped`;
  const text = `${recipientsOf(answer)}, ${formatUnits(charged)} units set aside, ${formatUnits(available)} left${skipped}`;
  return { tone: "ok", title: answer.message, text, goTo: paths.scheduledSms };
}

function recipientsOf({ unitDetails: { recipients } }: SendAnswer): string {
  return formatCounted(recipients, "recipient");
}

/** Where a send can be refused: on a page, or in the dialog of a catalog, which has words of its own for a wrong number. */
export type SendPlace = "page" | "dialog";

/** The words for a refused or lost send, with the address where the catalogue sends the person. */
export function explainNotSent(error: unknown, place: SendPlace = "page"): Explanation {
  const isDialogs = place === "dialog" && error instanceof ApiError && error.status === 400;
  return explainError(isDialogs ? "sendSmsDialog" : "sendSms", error);
}
