import type { ContentRuleAnswer } from "@ewebal/contract";
import { contentRuleCalls } from "@ewebal/contract/calls";
import { useQuery, useQueryClient, type UseQueryResult } from "@tanstack/react-query";
import { call } from "../../../lib/api/api.ts";
import { useSession } from "../../../lib/session/session.ts";
import { confirm } from "../../../ui/dialogs/confirm.tsx";
import { showNotice } from "../../../ui/feedback/notices.tsx";

/** The topic "admin" refreshes it. */
export const contentRulesKey = ["admin", "content-rules"] as const;

/** All rules, the oldest first, those that are switched off too. */
export function useContentRules(): UseQueryResult<ContentRuleAnswer[]> {
  return useQuery({
    queryKey: contentRulesKey,
    queryFn: async ({ signal }) => (await call(contentRuleCalls.viewContentRules, { signal })).data,
  });
}

type RuleActs = {
  switchTo: (rule: ContentRuleAnswer, isEnabled: boolean) => void;
  remove: (rule: ContentRuleAnswer) => void;
};

/** Asks where something ends, acts, and shows the result. */
export function useRuleActs(): RuleActs {
  const { adminId } = useSession();
  const queryClient = useQueryClient();
  const act = async (what: string, send: (adminId: string) => Promise<string>): Promise<void> => {
    if (adminId === null) return;
    try {
      showNotice({ title: await send(adminId) });
    } catch (error) {
      showNotice({
        tone: "error",
        title: `Unable to ${what} the rule`,
        text: error instanceof Error ? error.message : "",
      });
    }
    await queryClient.invalidateQueries({ queryKey: contentRulesKey });
  };
  const switchTo = async ({ _id: ruleId, pattern }: ContentRuleAnswer, isEnabled: boolean): Promise<void> => {
    const text = "It holds for nothing until you switch it on again.";
    if (!isEnabled && !(await confirm({ title: `About to switch the rule ${pattern} off?`, text }))) return;
    await act("switch", async (adminIdNow) => {
      await call(contentRuleCalls.editContentRule, { params: { adminId: adminIdNow, ruleId }, body: { isEnabled } });
      return isEnabled ? "The rule is on" : "The rule is off";
    });
  };
  const remove = async ({ _id: ruleId, pattern }: ContentRuleAnswer): Promise<void> => {
    const text = "To keep it for later, switch it off instead.";
    if (!(await confirm({ title: `About to delete the rule ${pattern}?`, text }))) return;
    await act(
      "delete",
      async (adminIdNow) =>
        (await call(contentRuleCalls.removeContentRule, { params: { adminId: adminIdNow, ruleId } })).message,
    );
  };
  return {
    switchTo: (rule, isEnabled) => void switchTo(rule, isEnabled),
    remove: (rule) => void remove(rule),
  };
}
