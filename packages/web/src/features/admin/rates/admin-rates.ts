import type { AdminRateAnswer, RateEditAnswer } from "@ewebal/contract";
import { rateCalls } from "@ewebal/contract/calls";
import { useQuery, useQueryClient, type UseQueryResult } from "@tanstack/react-query";
import { call } from "../../../lib/api/api.ts";
import { formatDateTime, formatRate } from "../../../lib/texts/format.ts";
import { retryAfterFailure } from "../../../lib/api/query.ts";
import { homeFirst } from "../../../shared/rates/home-first.ts";
import { untilChangeMs } from "../../../shared/rates/rates.ts";
import { useSession } from "../../../lib/session/session.ts";
import { confirm } from "../../../ui/dialogs/confirm.tsx";
import { showNotice } from "../../../ui/feedback/notices.tsx";

/** Every code with its rate; read again when an administrator changes a rate, and when a planned one takes effect. */
export function useAdminRates(): UseQueryResult<AdminRateAnswer[]> {
  return useQuery({
    queryKey: ["rates", "admin"],
    queryFn: async ({ signal }) => (await call(rateCalls.viewRates, { signal })).data,
    refetchInterval: (query) => retryAfterFailure(query) || untilChangeMs(findNextChange(query.state.data ?? [])),
  });
}

function findNextChange(rates: readonly AdminRateAnswer[]): string | null {
  return rates.flatMap(({ planned }) => planned.map(({ from }) => from)).toSorted()[0] ?? null;
}

/** Asks, withdraws the planned rate, and shows the result. */
export function useWithdrawRate(): (edit: RateEditAnswer) => void {
  const { adminId } = useSession();
  const queryClient = useQueryClient();
  const withdraw = async (edit: RateEditAnswer): Promise<void> => {
    if (adminId === null) return;
    const { _id: rateEditId, country, rate, from } = edit;
    const what = rate === null ? "The standard rate" : `The rate of ${formatRate(rate)}${classInWords(edit)}`;
    if (
      !(await confirm({
        title: `About to withdraw the planned rate of ${country}?`,
        text: `${what} would apply from ${formatDateTime(from)}.`,
      }))
    )
      return;
    try {
      const { message } = await call(rateCalls.withdrawRate, { params: { adminId, rateEditId } });
      showNotice({ title: message });
    } catch (error) {
      showNotice({
        tone: "error",
        title: "Unable to withdraw the rate",
        text: error instanceof Error ? error.message : "",
      });
    }
    await queryClient.invalidateQueries({ queryKey: ["rates"] });
  };
  return (edit) => void withdraw(edit);
}

/** The codes to list. Unlisted ones are found by a search, or by showing all. */
export const rateShows = { listed: "Listed codes", edited: "Edited codes", all: "All codes" } as const;
type RateShow = keyof typeof rateShows;

export function readRateShow(text: string): RateShow {
  return text === "edited" || text === "all" ? text : "listed";
}

export function isEdited({ rate, transactionalRate, specifiedRate }: AdminRateAnswer): boolean {
  return rate !== specifiedRate || transactionalRate !== specifiedRate;
}

/** ` (transactional)` for an edit of one class; empty for one of both. */
export function classInWords({ class: messageClass }: Pick<RateEditAnswer, "class">): string {
  return messageClass === undefined ? "" : ` (${messageClass})`;
}

/**
 * Finds codes by any part of the country's name, with or without accents, or by the beginning of the code. A search
 * covers all codes. Nigeria comes first.
 */
export function findAdminRates(
  rates: readonly AdminRateAnswer[],
  { search, show }: { search: string; show: RateShow },
): AdminRateAnswer[] {
  const wanted = simplify(search.trim()).replace(/^\+/, "");
  const found = rates.filter((rate) => {
    if (show === "edited" && !isEdited(rate) && rate.planned.length === 0) return false;
    if (wanted === "") return show !== "listed" || rate.isListed;
    return /^[0-9]+$/.test(wanted) ? rate.code.startsWith(wanted) : simplify(rate.country).includes(wanted);
  });
  return homeFirst(found);
}

function simplify(text: string): string {
  return text.normalize("NFD").replaceAll(/\p{M}/gu, "").toLowerCase();
}
