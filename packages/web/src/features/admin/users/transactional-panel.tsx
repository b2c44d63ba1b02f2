import { Badge, Button } from "@mantine/core";
import { dailyLimitCalls } from "@ewebal/contract/calls";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { call } from "../../../lib/api/api.ts";
import { explainError } from "../../../lib/texts/catalogue-texts.ts";
import { useSession } from "../../../lib/session/session.ts";
import { confirm } from "../../../ui/dialogs/confirm.tsx";
import { showNotice } from "../../../ui/feedback/notices.tsx";
import { Inline, Stack } from "../../../ui/layout/boxes.tsx";
import { Panel } from "../../../ui/layout/panel.tsx";
import { ListStates } from "../../../ui/lists/list-states.tsx";
import { limitsKey, useLimits } from "./daily-limits-panel.tsx";

type TransactionalPanelProps = { userId: string; userName: string };

/** Whether a customer may send transactional messages, which wait for no quiet hours and can reach DND numbers. */
export function TransactionalPanel({ userId, userName }: TransactionalPanelProps) {
  const query = useLimits(userId);
  const isAllowed = query.data?.maySendTransactional === true;
  const { press, isPending } = useAllow({ userId, userName });
  return (
    <Panel title="Transactional messages">
      <ListStates
        query={query}
        rowCount={query.data === undefined ? 0 : 1}
        empty={{ title: "There is no such user" }}
        skeletonRows={1}
      >
        <Inline gap={12} across={16} wraps align="center" justify="between">
          <Stack gap={4} className="shrinkable">
            <Badge color={isAllowed ? "green" : "gray"} variant="light">
              {isAllowed ? "Allowed" : "Not allowed"}
            </Badge>
            <p className="muted">Codes, receipts and alerts that somebody waits for. They leave in quiet hours, too.</p>
          </Stack>
          <Button variant="default" loading={isPending} onClick={() => press(!isAllowed)}>
            {isAllowed ? "Stop transactional messages" : "Allow transactional messages"}
          </Button>
        </Inline>
      </ListStates>
    </Panel>
  );
}

function useAllow({ userId, userName }: TransactionalPanelProps) {
  const { adminId } = useSession();
  const queryClient = useQueryClient();
  const { mutate, isPending } = useMutation({
    mutationFn: async (allowed: boolean) =>
      await call(dailyLimitCalls.allowTransactional, {
        params: { adminId: adminId ?? "" },
        body: { userId, allowed },
      }),
    onSuccess: ({ message }) => showNotice({ title: message }),
    onError: (error) => showNotice(explainError("service", error)),
    onSettled: async () => await queryClient.invalidateQueries({ queryKey: limitsKey(userId) }),
  });
  const ask = async (allowed: boolean): Promise<void> => {
    const text = allowed
      ? "Make sure that they send no advertising this way. Transactional messages leave at any time and can reach numbers on the DND list."
      : "New messages can only be promotional. What was accepted goes on as it is.";
    const title = allowed
      ? `About to allow transactional messages of ${userName}?`
      : `About to stop transactional messages of ${userName}?`;
    if (await confirm({ title, text })) mutate(allowed);
  };
  return { press: (allowed: boolean) => void ask(allowed), isPending };
}
