import type { SendAnswer } from "@ewebal/contract";
import { explainAnswer, explainError, type Explanation } from "../../lib/catalogue-texts.ts";
import { formatCount, formatUnits } from "../../lib/format.ts";

/** The words for an accepted send: "503 with dnd" is one, and has the catalogue's own. */
export function explainSent(answer: SendAnswer): Explanation {
  const explanation = explainAnswer("sendSms", answer.dnd === true ? 503 : 200, answer.message);
  if (explanation.text !== undefined) return explanation;
  const { recipients, charged, available } = answer.unitDetails;
  const who = recipients === 1 ? "1 recipient" : `${formatCount(recipients)} recipients`;
  return { ...explanation, text: `${who}, ${formatUnits(charged)} units charged, ${formatUnits(available)} left` };
}

/** The words for a refused or lost send, with the address where the catalogue sends the person. */
export function explainNotSent(error: unknown): Explanation {
  return explainError("sendSms", error);
}
