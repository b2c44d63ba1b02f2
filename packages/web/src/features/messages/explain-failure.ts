import { ApiError } from "../../lib/api/api.ts";
import { networkLost } from "../../lib/texts/catalogue-texts.ts";

type Failure = {
  tone: "error";
  title: string;
  text?: string;
};

/** The words for a call that the error catalogue does not list: the server's own, or the lost network's. */
export function explainFailure(error: unknown): Failure {
  return error instanceof ApiError ? { tone: "error", title: error.message } : networkLost;
}
