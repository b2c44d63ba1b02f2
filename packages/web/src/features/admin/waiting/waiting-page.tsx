import { Badge, Button } from "@mantine/core";
import type { WaitingAnswer } from "@ewebal/contract";
import { useInfiniteQuery, useMutation, useQueryClient } from "@tanstack/react-query";
import { approvalCalls } from "@ewebal/contract/calls";
import { useSession } from "../../../lib/session/session.ts";
import { ButtonLink } from "../../../ui/kit/links.tsx";
import { ListStates } from "../../../ui/lists/list-states.tsx";
import { Page } from "../../../ui/layout/page.tsx";
import { Panel } from "../../../ui/layout/panel.tsx";
import { RelativeTime } from "../../../ui/kit/relative-time.tsx";
import { Inline, Stack } from "../../../ui/layout/boxes.tsx";
import { ShowMore } from "../../../ui/lists/show-more.tsx";
import { call } from "../../../lib/api/api.ts";
import { explainError } from "../../../lib/texts/catalogue-texts.ts";
import { confirm } from "../../../ui/dialogs/confirm.tsx";
import { showNotice } from "../../../ui/feedback/notices.tsx";
import classes from "../whitelists/requests-panel.module.css";
import { pathOfWaiting, waitingQuery, warningOf } from "./waiting-query.ts";

/**
 * Everything that waits for an administrator, oldest first: what it is, who asked, since when, and the buttons or link
 * to decide it.
 */
export function WaitingPage() {
  const { adminId } = useSession();
  return (
    <Page title="Waiting" intro="Deposits, requests, approvals and disputed payments, oldest first.">
      <Panel>{adminId !== null && <WaitingList adminId={adminId} />}</Panel>
    </Page>
  );
}

function WaitingList({ adminId }: { adminId: string }) {
  const query = useInfiniteQuery(waitingQuery);
  const rows = query.data ?? [];
  const { press, decidingId } = useDecideApproval(adminId);
  return (
    <ListStates
      query={query}
      rowCount={rows.length}
      empty={{ title: "Nothing is waiting", text: "New tasks appear here automatically." }}
    >
      <Stack as="ul" divided={16}>
        {rows.map((row) => (
          <WaitingRow
            key={row._id}
            row={row}
            isDeciding={decidingId === row._id}
            onPress={(verb) => press(row, verb)}
          />
        ))}
      </Stack>
      <ShowMore list={{ query, rows }} />
    </ListStates>
  );
}

type WaitingRowProps = {
  row: WaitingAnswer;
  isDeciding: boolean;
  onPress: (verb: ApprovalVerb) => void;
};

function WaitingRow({ row, isDeciding, onPress }: WaitingRowProps) {
  const { kind, what, by, flagged, mayDecide, createdAt } = row;
  return (
    <Inline as="li" gap={12} across={16} wraps align="start" justify="between">
      <Stack gap={2} className={`${classes.words} shrinkable anywhere`}>
        <Inline gap={4} across={8} wraps align="center">
          <span className={classes.name}>{what}</span>
          {flagged && (
            <Badge color="yellow" variant="light">
              {warningOf(row)}
            </Badge>
          )}
        </Inline>
        <p className="muted small">{kind === "approval" ? `Asked for by ${by}` : by}</p>
        <p className="muted small">
          Arrived <RelativeTime iso={createdAt} />
          {!mayDecide && ". Another administrator must decide this."}
        </p>
      </Stack>
      {kind !== "approval" && (
        <ButtonLink to={pathOfWaiting(row)} variant="default" aria-label={`View ${what} of ${by}`}>
          View
        </ButtonLink>
      )}
      {kind === "approval" && mayDecide && (
        <div className={classes.answers}>
          <Button
            variant="default"
            disabled={isDeciding}
            aria-label={`Decline: ${what}`}
            onClick={() => onPress("decline")}
          >
            Decline
          </Button>
          <Button loading={isDeciding} aria-label={`Approve: ${what}`} onClick={() => onPress("approve")}>
            Approve
          </Button>
        </div>
      )}
    </Inline>
  );
}

type ApprovalVerb = "approve" | "decline";

const questions: Record<ApprovalVerb, string> = {
  approve: "About to approve this?",
  decline: "About to decline this?",
};

/** Asks first, then approves or declines another administrator's proposal, and shows the result. */
function useDecideApproval(adminId: string): {
  press: (row: WaitingAnswer, verb: ApprovalVerb) => void;
  decidingId: string | undefined;
} {
  const queryClient = useQueryClient();
  const { mutate, isPending, variables } = useMutation({
    mutationFn: async ({ row, verb }: { row: WaitingAnswer; verb: ApprovalVerb }) =>
      await call(approvalCalls[verb], { params: { adminId, approvalId: row._id } }),
    onSuccess: ({ message }) => showNotice({ title: message }),
    onError: (error) => showNotice(explainError("service", error)),
    // Also after a refusal: another administrator may have decided a moment ago.
    onSettled: async () => await queryClient.invalidateQueries({ queryKey: ["admin"] }),
  });
  const ask = async (row: WaitingAnswer, verb: ApprovalVerb): Promise<void> => {
    if (await confirm({ title: questions[verb], text: `${row.what}. Asked for by ${row.by}.` })) mutate({ row, verb });
  };
  return { press: (row, verb) => void ask(row, verb), decidingId: isPending ? variables.row._id : undefined };
}
