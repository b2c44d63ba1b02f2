import { Button } from "@mantine/core";
import type { MessageAnswer } from "@ewebal/contract";
import { teamCalls } from "@ewebal/contract/calls";
import { mayAs } from "@ewebal/contract/rules";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { call } from "../../../lib/api/api.ts";
import { useCursorList } from "../../../lib/api/use-cursor-list.ts";
import { useSession } from "../../../lib/session/session.ts";
import { explainError } from "../../../lib/texts/catalogue-texts.ts";
import { formatCounted, formatDateTime, formatRate } from "../../../lib/texts/format.ts";
import { useOwnRole } from "../../../shared/account/own-role.ts";
import { confirm } from "../../../ui/dialogs/confirm.tsx";
import { showNotice } from "../../../ui/feedback/notices.tsx";
import { RelativeTime } from "../../../ui/kit/relative-time.tsx";
import { Inline, Stack } from "../../../ui/layout/boxes.tsx";
import { Page } from "../../../ui/layout/page.tsx";
import { Panel } from "../../../ui/layout/panel.tsx";
import { ListStates } from "../../../ui/lists/list-states.tsx";
import { ShowMore } from "../../../ui/lists/show-more.tsx";

type Decision = { row: MessageAnswer; verb: "approve" | "refuse" };

/** Messages of senders that wait for an approver of the account. */
export function ApprovalsPage() {
  const { userId } = useSession();
  return (
    <Page
      title="Approvals"
      intro="A sender's message to more recipients than the owner allows waits here, with its units held. Approvers and owners decide on it, but not on their own messages."
    >
      {userId !== null && <WaitingPanel userId={userId} />}
    </Page>
  );
}

function WaitingPanel({ userId }: { userId: string }) {
  const list = useCursorList<MessageAnswer>({
    queryKey: ["approvals", userId],
    read: async (after, signal) =>
      await call(teamCalls.approvals, { params: { userId }, query: after === undefined ? {} : { after }, signal }),
  });
  const { press, isDeciding } = useDecide(userId);
  const role = useOwnRole();
  const mayDecide = role !== undefined && mayAs(role, "approver");
  return (
    <Panel title="Waiting for approval">
      <ListStates
        query={list.query}
        rowCount={list.rows.length}
        empty={{ title: "No message waits", text: "Messages that need an approver appear here by themselves." }}
        skeletonRows={3}
      >
        <Stack as="ul" divided={16} aria-label="Messages that wait">
          {list.rows.map((row) => (
            <li key={row._id}>
              <Waiting row={row} {...(mayDecide && { onPress: press })} isDeciding={isDeciding} />
            </li>
          ))}
        </Stack>
        <ShowMore list={list} />
      </ListStates>
    </Panel>
  );
}

type WaitingProps = { row: MessageAnswer; onPress?: (decision: Decision) => void; isDeciding: boolean };

/** One message: who sent it, to how many and for what, and its whole text. */
function Waiting({ row, onPress, isDeciding }: WaitingProps) {
  const { senderName, sentBy, message, recipients, units, createdAt, sendAt } = row;
  return (
    <Stack as="article" gap={12} aria-label={`Message from ${senderName}`}>
      <Inline gap={12} across={16} wraps align="start" justify="between">
        <Stack gap={4} className="shrinkable anywhere">
          <h3>{senderName}</h3>
          <p className="muted small">
            {`Sent by ${sentBy ?? "a member"}, `}
            <RelativeTime iso={createdAt} />
            {sendAt !== undefined && `, to go out on ${formatDateTime(sendAt)}`}
          </p>
          <p className="small numeric">
            {`${formatCounted(recipients, "recipient")}, ${formatRate(units?.reserved ?? 0)} units held`}
          </p>
        </Stack>
        {onPress !== undefined && (
          <Inline gap={8}>
            <Button
              variant="default"
              disabled={isDeciding}
              aria-label={`Refuse the message from ${senderName}`}
              onClick={() => onPress({ row, verb: "refuse" })}
            >
              Refuse
            </Button>
            <Button
              disabled={isDeciding}
              aria-label={`Approve the message from ${senderName}`}
              onClick={() => onPress({ row, verb: "approve" })}
            >
              Approve
            </Button>
          </Inline>
        )}
      </Inline>
      <p className="anywhere" style={{ whiteSpace: "pre-wrap" }}>
        {message}
      </p>
    </Stack>
  );
}

function useDecide(userId: string): { press: (decision: Decision) => void; isDeciding: boolean } {
  const queryClient = useQueryClient();
  const { mutate, isPending } = useMutation({
    mutationFn: async ({ row, verb }: Decision) => {
      const params = { userId, messageId: row._id };
      return verb === "approve"
        ? await call(teamCalls.approveMessage, { params })
        : await call(teamCalls.declineMessage, { params, body: {} });
    },
    onSuccess: ({ message }) => showNotice({ title: message }),
    onError: (error) => showNotice(explainError("service", error)),
    onSettled: async () => await queryClient.invalidateQueries({ queryKey: ["approvals"] }),
  });
  const ask = async ({ row, verb }: Decision): Promise<void> => {
    const to = formatCounted(row.recipients, "recipient");
    const question =
      verb === "approve"
        ? { title: `About to approve the message from ${row.senderName}?`, text: `It goes to ${to}.` }
        : {
            title: `About to refuse the message from ${row.senderName}?`,
            text: "Nobody gets it, its units come back, and the person who sent it gets a mail.",
          };
    if (await confirm(question)) mutate({ row, verb });
  };
  return { press: (decision) => void ask(decision), isDeciding: isPending };
}
