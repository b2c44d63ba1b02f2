import type { AdminRateAnswer } from "@ewebal/contract";

/** Which codes are listed. Those that nobody sees are reached by a search, or by asking for all. */
export const rateShows = { listed: "In the list of rates", edited: "Changed or planned", all: "All codes" } as const;
export type RateShow = keyof typeof rateShows;

export function readRateShow(text: string): RateShow {
  return text === "edited" || text === "all" ? text : "listed";
}

export function isEdited({ rate, specifiedRate }: AdminRateAnswer): boolean {
  return rate !== specifiedRate;
}

/** By any part of a country's name, with or without accents, or by the beginning of its code; a search looks at all codes. */
export function findAdminRates(
  rates: readonly AdminRateAnswer[],
  { search, show }: { search: string; show: RateShow },
): AdminRateAnswer[] {
  const wanted = simplify(search.trim()).replace(/^\+/, "");
  return rates.filter((rate) => {
    if (show === "edited" && !isEdited(rate) && rate.planned.length === 0) return false;
    if (wanted === "") return show !== "listed" || rate.isListed;
    return /^[0-9]+$/.test(wanted) ? rate.code.startsWith(wanted) : simplify(rate.country).includes(wanted);
  });
}

function simplify(text: string): string {
  return text.normalize("NFD").replaceAll(/\p{M}/gu, "").toLowerCase();
}
