import { Button } from "@mantine/core";
import type { ReviewAnswer } from "@ewebal/contract";
import { contentRuleCalls, heldMessageCalls } from "@ewebal/contract/calls";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { call } from "../../../lib/api/api.ts";
import { useCursorList } from "../../../lib/api/use-cursor-list.ts";
import { useSession } from "../../../lib/session/session.ts";
import { formatCounted, formatRate } from "../../../lib/texts/format.ts";
import { confirm } from "../../../ui/dialogs/confirm.tsx";
import { showNotice } from "../../../ui/feedback/notices.tsx";
import { TextLink } from "../../../ui/kit/links.tsx";
import { RelativeTime } from "../../../ui/kit/relative-time.tsx";
import { Inline, Stack } from "../../../ui/layout/boxes.tsx";
import { Page } from "../../../ui/layout/page.tsx";
import { Panel } from "../../../ui/layout/panel.tsx";
import { ListStates } from "../../../ui/lists/list-states.tsx";
import { ShowMore } from "../../../ui/lists/show-more.tsx";
import { managePaths } from "../admin-paths.ts";
import { TEXT_HIDDEN } from "../messages/sms-table.tsx";
import { RefuseReviewDialog } from "./refuse-review-dialog.tsx";
import classes from "./reviews-page.module.css";

/** The topic "admin" refreshes it. */
const listKey = ["admin", "reviews"] as const;

/** Messages that wait for an administrator before they are sent, because of a content rule or their size. */
export function ReviewsPage() {
  const { adminId } = useSession();
  return (
    <Page
      title="Reviews"
      intro="These messages wait until you release or refuse them. Their units are held. Content rules and large sends put them here."
    >
      {adminId !== null && <ListPanel adminId={adminId} />}
    </Page>
  );
}

function ListPanel({ adminId }: { adminId: string }) {
  const list = useCursorList<ReviewAnswer>({
    queryKey: [...listKey],
    read: async (after, signal) =>
      await call(contentRuleCalls.viewReviews, { query: after === undefined ? {} : { after }, signal }),
  });
  const { release, refuse, decidedId } = useDecide(adminId);
  const [refused, setRefused] = useState<ReviewAnswer>();
  return (
    <Panel title="Waiting for review">
      <ListStates
        query={list.query}
        rowCount={list.rows.length}
        empty={{
          title: "No message waits for review",
          text: "Messages that a content rule sends to review appear here automatically.",
        }}
        skeletonRows={3}
      >
        <Stack as="ul" divided={16} aria-label="Messages in review">
          {list.rows.map((row) => (
            <li key={row._id}>
              <Review
                row={row}
                isDeciding={decidedId === row._id}
                onRelease={() => void release(row)}
                onRefuse={() => setRefused(row)}
              />
            </li>
          ))}
        </Stack>
        <ShowMore list={list} />
      </ListStates>
      <RefuseReviewDialog
        review={refused}
        onClose={() => setRefused(undefined)}
        onRefuse={(row, reason) => void refuse(row, reason)}
      />
    </Panel>
  );
}

type ReviewProps = {
  row: ReviewAnswer;
  isDeciding: boolean;
  onRelease: () => void;
  onRefuse: () => void;
};

/** One message: why it waits, whose it is, what it costs, and its whole text. */
function Review({ row, isDeciding, onRelease, onRefuse }: ReviewProps) {
  const { _id, userID, userName, senderName, message, recipients, charge, note, createdAt } = row;
  return (
    <Stack as="article" gap={12} aria-label={`Message from ${senderName}`}>
      <Inline gap={12} across={16} wraps align="start" justify="between">
        <Stack gap={4} className={`${classes.words} shrinkable anywhere`}>
          <h3 className={classes.sender}>{senderName}</h3>
          <p className="muted small">
            <TextLink to={managePaths.user(userID)}>{userName}</TextLink>
            {", "}
            <RelativeTime iso={createdAt} />
          </p>
          <p className="small numeric">
            {`${formatCounted(recipients, "recipient")}, ${formatRate(charge)} units held. `}
            <TextLink to={managePaths.message(_id)}>Details</TextLink>
          </p>
        </Stack>
        <div className={classes.answers}>
          <Button
            variant="default"
            disabled={isDeciding}
            aria-label={`Refuse the message from ${senderName}`}
            onClick={onRefuse}
          >
            Refuse
          </Button>
          <Button loading={isDeciding} aria-label={`Release the message from ${senderName}`} onClick={onRelease}>
            Release
          </Button>
        </div>
      </Inline>
      <p className={`${classes.note} small anywhere`}>
        <strong>Why it waits:</strong> {note}
      </p>
      <p className={`${classes.text} anywhere`}>{message === "" ? TEXT_HIDDEN : message}</p>
    </Stack>
  );
}

type Decide = {
  release: (row: ReviewAnswer) => Promise<void>;
  refuse: (row: ReviewAnswer, reason: string) => Promise<void>;
  /** The message whose decision is on its way. */
  decidedId: string | undefined;
};

function useDecide(adminId: string): Decide {
  const queryClient = useQueryClient();
  const [decidedId, setDecidedId] = useState<string>();
  const decide = async (row: ReviewAnswer, failure: string, send: () => Promise<{ message: string }>) => {
    setDecidedId(row._id);
    try {
      showNotice({ title: (await send()).message });
    } catch (error) {
      showNotice({ tone: "error", title: failure, text: error instanceof Error ? error.message : "" });
    }
    setDecidedId(undefined);
    await queryClient.invalidateQueries({ queryKey: listKey });
  };
  const release = async (row: ReviewAnswer): Promise<void> => {
    const { _id: messageId, senderName, recipients, charge } = row;
    const text = `It goes to ${formatCounted(recipients, "recipient")} for up to ${formatRate(charge)} units. Quiet hours and the time that its customer chose still hold.`;
    if (!(await confirm({ title: `About to release the message from ${senderName}?`, text }))) return;
    await decide(
      row,
      "Unable to release",
      async () => await call(heldMessageCalls.releaseMessage, { params: { adminId, messageId } }),
    );
  };
  const refuse = async (row: ReviewAnswer, reason: string): Promise<void> =>
    await decide(
      row,
      "Unable to refuse",
      async () =>
        await call(heldMessageCalls.refuseMessage, { params: { adminId, messageId: row._id }, body: { reason } }),
    );
  return { release, refuse, decidedId };
}
