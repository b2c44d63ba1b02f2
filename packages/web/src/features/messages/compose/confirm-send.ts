import { formatUnits, MILLI_PER_UNIT } from "@ewebal/contract/rules";
import { formatCount, formatCounted, formatRate } from "../../../lib/texts/format.ts";
import { confirm } from "../../../ui/dialogs/confirm.tsx";
import type { Price } from "../price/price.ts";
import { scheduleInWords, type Schedule } from "../scheduled/schedule.ts";

/** Asks before a send, with what it costs. */
export async function confirmSend(price: Price, schedule?: Schedule): Promise<boolean> {
  const who = formatCounted(price.recipients, "recipient");
  const when = schedule === undefined ? undefined : scheduleInWords(schedule);
  return await confirm({
    title: when === undefined ? `Send to ${who}?` : `Schedule for ${who}?`,
    text: when === undefined ? chargeInWords(price) : `${when}. ${chargeInWords(price)}, set aside now`,
  });
}

/** `2 × 1 page × 3.00 = 6.00 units` */
function chargeInWords({ recipients, pages, rateMilli, chargeMilli }: Price): string {
  return `${formatCount(recipients)} × ${formatCounted(pages, "page")} × ${formatRate(rateMilli / MILLI_PER_UNIT)} = ${formatUnits(chargeMilli)} units`;
}
