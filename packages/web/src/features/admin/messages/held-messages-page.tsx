import { Button } from "@mantine/core";
import type { HeldMessageAnswer } from "@ewebal/contract";
import { heldMessageCalls } from "@ewebal/contract/calls";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { call } from "../../../lib/api/api.ts";
import { formatCount, formatCounted } from "../../../lib/texts/format.ts";
import { useSession } from "../../../lib/session/session.ts";
import { useCursorList } from "../../../lib/api/use-cursor-list.ts";
import { confirm } from "../../../ui/dialogs/confirm.tsx";
import { type Column, DataTable } from "../../../ui/lists/data-table.tsx";
import { TextLink } from "../../../ui/kit/links.tsx";
import { Inline } from "../../../ui/layout/boxes.tsx";
import { ListStates } from "../../../ui/lists/list-states.tsx";
import { showNotice } from "../../../ui/feedback/notices.tsx";
import { Page } from "../../../ui/layout/page.tsx";
import { Panel } from "../../../ui/layout/panel.tsx";
import { RelativeTime } from "../../../ui/kit/relative-time.tsx";
import { ShowMore } from "../../../ui/lists/show-more.tsx";
import classes from "../whitelists/requests-panel.module.css";
import { managePaths } from "../admin-paths.ts";
import { previewOf } from "./sms-table.tsx";

/** The topic "admin" refreshes it. */
const listKey = ["admin", "held-messages"] as const;

const stateWords: Record<HeldMessageAnswer["heldFrom"], string> = {
  scheduled: "Scheduled",
  sending: "Sending",
  paused: "Paused",
};

/**
 * Messages that may have gone out after the back-up that the database was restored from, until an administrator
 * decides.
 */
export function HeldMessagesPage() {
  const { adminId } = useSession();
  return (
    <Page
      title="Held messages"
      intro="After a restore, these messages may already have been sent. Ask the carrier or the customer, then decide on each one. New messages are sent as usual."
    >
      {adminId !== null && <ListPanel adminId={adminId} />}
    </Page>
  );
}

function ListPanel({ adminId }: { adminId: string }) {
  const list = useCursorList<HeldMessageAnswer>({
    queryKey: [...listKey],
    read: async (after, signal) =>
      await call(heldMessageCalls.viewHeldMessages, { query: after === undefined ? {} : { after }, signal }),
  });
  const { decide, isDeciding } = useDecide(adminId);
  const columns: Column<HeldMessageAnswer>[] = [
    { title: "User", cell: ({ userID, userName }) => <TextLink to={managePaths.user(userID)}>{userName}</TextLink> },
    { title: "Sender ID", isHeading: true, cell: ({ senderName }) => senderName },
    {
      title: "Message",
      cell: ({ _id, message }) => <TextLink to={managePaths.message(_id)}>{previewOf(message)}</TextLink>,
      width: "36%",
    },
    {
      title: "Not recorded",
      isNumeric: true,
      cell: ({ counts, recipients }) => `${formatCount(counts.waiting)} of ${formatCount(recipients)}`,
    },
    { title: "State before", cell: ({ heldFrom }) => stateWords[heldFrom] },
    { title: "Held", cell: ({ heldAt }) => <RelativeTime iso={heldAt} /> },
    {
      title: "Decide",
      isActions: true,
      cell: (row) => <Decision row={row} isDeciding={isDeciding} onDecide={(verb) => void decide(verb, [row])} />,
    },
  ];
  return (
    <Panel>
      {list.rows.length > 1 && (
        <Inline gap={8} wraps below={16}>
          <Button variant="default" disabled={isDeciding} onClick={() => void decide("release", list.rows)}>
            {`Release all ${formatCount(list.rows.length)} listed`}
          </Button>
          <Button variant="default" disabled={isDeciding} onClick={() => void decide("refuse", list.rows)}>
            {`Refuse all ${formatCount(list.rows.length)} listed`}
          </Button>
        </Inline>
      )}
      <ListStates
        query={list.query}
        rowCount={list.rows.length}
        empty={{
          title: "There are no held messages",
          text: "After a restore, messages that may already have been sent are listed here.",
        }}
      >
        <DataTable
          caption="Messages that are held after a restore"
          columns={columns}
          rows={list.rows}
          rowKey={({ _id }) => _id}
        />
        <ShowMore list={list} />
      </ListStates>
    </Panel>
  );
}

type DecisionProps = {
  row: HeldMessageAnswer;
  isDeciding: boolean;
  onDecide: (verb: Verb) => void;
};

function Decision({ row, isDeciding, onDecide }: DecisionProps) {
  return (
    <div className={classes.answers}>
      <Button
        size="xs"
        disabled={isDeciding}
        aria-label={`Release the message from ${row.senderName}`}
        onClick={() => onDecide("release")}
      >
        Release
      </Button>
      <Button
        size="xs"
        variant="default"
        disabled={isDeciding}
        aria-label={`Refuse the message from ${row.senderName}`}
        onClick={() => onDecide("refuse")}
      >
        Refuse
      </Button>
    </div>
  );
}

type Verb = "release" | "refuse";

const questions: Record<Verb, { verb: string; text: string; failure: string }> = {
  release: {
    verb: "release",
    text: "The rest is sent and charged. Some people may get the message twice.",
    failure: "Unable to release",
  },
  refuse: {
    verb: "refuse",
    text: "The rest is cancelled, and its units go back to the customer. People who have not received the message yet never will.",
    failure: "Unable to refuse",
  },
};

/** One after the other: the first refusal ends it, and the administrator can decide the rest again. */
function useDecide(adminId: string): {
  decide: (verb: Verb, rows: readonly HeldMessageAnswer[]) => Promise<void>;
  isDeciding: boolean;
} {
  const queryClient = useQueryClient();
  const [isDeciding, setIsDeciding] = useState(false);
  const decide = async (verb: Verb, rows: readonly HeldMessageAnswer[]): Promise<void> => {
    const { verb: word, text, failure } = questions[verb];
    const [first] = rows;
    const what =
      rows.length === 1 && first !== undefined
        ? `the message from ${first.senderName}`
        : formatCounted(rows.length, "message");
    if (!(await confirm({ title: `About to ${word} ${what}?`, text }))) return;
    setIsDeciding(true);
    try {
      let answer = "";
      for (const { _id } of rows) {
        const address = verb === "release" ? heldMessageCalls.releaseMessage : heldMessageCalls.refuseMessage;
        answer = (await call(address, { params: { adminId, messageId: _id }, body: undefined })).message;
      }
      showNotice({ title: answer });
    } catch (error) {
      showNotice({ tone: "error", title: failure, text: error instanceof Error ? error.message : "" });
    }
    setIsDeciding(false);
    await queryClient.invalidateQueries({ queryKey: listKey });
  };
  return { decide, isDeciding };
}
