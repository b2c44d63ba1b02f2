import { ApiError } from "../../lib/api/api.ts";
import { explainError, type CatalogueScreen, type Explanation } from "../../lib/texts/catalogue-texts.ts";

/**
 * The catalogue's words, and behind them the server's reason where it knows one: "Check your network connectivity" alone
 * would send somebody who has too many catalogs to the router.
 */
export function explainRefusal(screen: CatalogueScreen, error: unknown): Explanation {
  const explanation = explainError(screen, error);
  const { title, text } = explanation;
  const isReasonKnown =
    error instanceof ApiError && error.status < 500 && title !== error.message && text !== error.message;
  return isReasonKnown
    ? { ...explanation, text: text === undefined ? error.message : `${text}. ${error.message}` }
    : explanation;
}
