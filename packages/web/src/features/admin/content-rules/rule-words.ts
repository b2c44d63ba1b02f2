/** Content rules in words, and what a text would meet: decided by the same comparison as on the server. */
import type { ContentRuleAnswer } from "@ewebal/contract";
import { meansSender, TextSearch } from "@ewebal/contract/rules";

type Place = ContentRuleAnswer["where"];
type Action = ContentRuleAnswer["action"];

export const placeWords: Readonly<Record<Place, string>> = { text: "Text", link: "Link", sender: "Sender name" };

export const actionWords: Readonly<Record<Action, { label: string; color: string; long: string }>> = {
  refuse: { label: "Refuse", color: "red", long: "Refuse the message" },
  review: { label: "Review", color: "yellow", long: "Hold the message for review" },
  warn: { label: "Warn", color: "blue", long: "Warn while it is typed" },
};

/** `All countries`, `+234`, or `+234, MTN and Glo only`. */
export function scopeInWords({ countries, networks }: Pick<ContentRuleAnswer, "countries" | "networks">): string {
  const where = countries.length === 0 ? "All countries" : countries.map((code) => `+${code}`).join(", ");
  return networks.length === 0 ? where : `${where}; ${networks.join(", ")} only`;
}

/** The rules that hold and that a message breaks, whatever countries and networks they are for. */
export function findMet(
  rules: readonly ContentRuleAnswer[],
  { senderName, message }: { senderName: string; message: string },
): ContentRuleAnswer[] {
  const held = rules.filter(({ isEnabled }) => isEnabled);
  // The networks of recipients are not known here: a rule for some of them is met, and says which.
  const search = new TextSearch(held.map((rule) => ({ ...rule, networks: [] })));
  search.look(message, () => "");
  return held.filter(
    (rule, index) =>
      search.found.has(index) || (rule.where === "sender" && senderName !== "" && meansSender(rule, senderName)),
  );
}

/** What becomes of a message that breaks these rules: the strictest counts. */
export function verdictOf(met: readonly Pick<ContentRuleAnswer, "action">[]): string {
  const has = (action: Action): boolean => met.some((rule) => rule.action === action);
  if (has("refuse")) return "The message is refused";
  if (has("review")) return "The message waits for review";
  return has("warn") ? "The sender is warned and can send" : "No rule is met";
}
