import { Textarea } from "@mantine/core";
import type { InboundAnswer, InboxReplyAnswer } from "@ewebal/contract";
import { inboxCalls } from "@ewebal/contract/calls";
import { useQueryClient } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { useState } from "react";
import { call } from "../../../lib/api/api.ts";
import { IdempotencyKey } from "../../../lib/api/idempotency-key.ts";
import { useCursorList } from "../../../lib/api/use-cursor-list.ts";
import { paths } from "../../../lib/paths.ts";
import { useSession } from "../../../lib/session/session.ts";
import { phoneOf } from "../../../shared/numbers/phone-of.ts";
import { showNotice } from "../../../ui/feedback/notices.tsx";
import { Refusal } from "../../../ui/feedback/refusal.tsx";
import { Form, useForm } from "../../../ui/forms/form.tsx";
import { SubmitButton } from "../../../ui/forms/submit-button.tsx";
import { RelativeTime } from "../../../ui/kit/relative-time.tsx";
import { Inline, Stack } from "../../../ui/layout/boxes.tsx";
import { Page } from "../../../ui/layout/page.tsx";
import { Panel } from "../../../ui/layout/panel.tsx";
import { ListStates } from "../../../ui/lists/list-states.tsx";
import { ShowMore } from "../../../ui/lists/show-more.tsx";
import { stateWords } from "../message-counts.ts";
import classes from "./conversation-page.module.css";

/** What one person wrote to the customer's numbers and what answered it, the newest last, and the field to reply with. */
export function ConversationPage() {
  const { userId } = useSession();
  const { person = "" } = useParams({ strict: false });
  return (
    <Page title={phoneOf(person)} back={{ to: paths.inbox, label: "Inbox" }}>
      {userId !== null && <Conversation userId={userId} person={person} />}
    </Page>
  );
}

type Entry = { id: string; isOurs: boolean; text: string; at: string; note: string };

function Conversation({ userId, person }: { userId: string; person: string }) {
  const written = useCursorList<InboundAnswer>({
    queryKey: ["inbox", "messages", person],
    read: async (after, signal) =>
      await call(inboxCalls.inbox, {
        params: { userId },
        query: { from: person, ...(after !== undefined && { after }) },
        signal,
      }),
  });
  const replies = useCursorList<InboxReplyAnswer>({
    queryKey: ["inbox", "replies", person],
    read: async (after, signal) =>
      await call(inboxCalls.inboxReplies, {
        params: { userId },
        query: { to: person, ...(after !== undefined && { after }) },
        signal,
      }),
  });
  const entries = inOrder(written.rows, replies.rows);
  const [last] = written.rows;
  return (
    <>
      <Panel title="Messages">
        <ListStates
          query={written.query}
          rowCount={entries.length}
          empty={{ title: "There are no messages", text: "This person has not written to your numbers." }}
        >
          <ShowMore list={written} />
          <Stack as="ol" gap={12} aria-label="Messages, the newest last">
            {entries.map((entry) => (
              <li key={entry.id} className={entry.isOurs ? `${classes.entry} ${classes.ours}` : classes.entry}>
                <p className={classes.text}>{entry.text}</p>
                <Inline gap={8} className="muted small" wraps>
                  <span>{entry.note}</span>
                  <RelativeTime iso={entry.at} />
                </Inline>
              </li>
            ))}
          </Stack>
        </ListStates>
      </Panel>
      {last !== undefined && <ReplyPanel userId={userId} answered={last} />}
    </>
  );
}

/** Replies are read as far back as they go among the messages that are shown, so nothing is out of its place. */
function inOrder(written: readonly InboundAnswer[], replies: readonly InboxReplyAnswer[]): Entry[] {
  const theirs = written.map(({ _id, text, createdAt, to }) => {
    return { id: _id, isOurs: false, text, at: createdAt, note: `To ${phoneOf(to)}` };
  });
  const ours = replies.map(({ _id, text, createdAt, state }) => {
    return { id: _id, isOurs: true, text, at: createdAt, note: `You: ${stateWords[state].word}` };
  });
  return [...theirs, ...ours].toSorted((one, other) => (one.at < other.at ? -1 : 1));
}

function ReplyPanel({ userId, answered }: { userId: string; answered: InboundAnswer }) {
  const queryClient = useQueryClient();
  const [key] = useState(() => new IdempotencyKey());
  const form = useForm({
    initial: { message: "" },
    missing: ({ message }) => (message.trim() === "" ? ["a message"] : []),
    schema: async () => (await import("@ewebal/contract/schemas/inbox")).inboxSchemas.reply.body,
    send: async (body) => {
      const { message } = await call(inboxCalls.reply, {
        params: { userId, inboxId: answered._id },
        body,
        headers: { "idempotency-key": key.keyFor({ ...body, inboxId: answered._id }) },
      });
      key.renew();
      showNotice({ title: message });
      form.set("message", "");
      await queryClient.invalidateQueries({ queryKey: ["inbox"] });
    },
  });
  return (
    <Panel title="Reply">
      <Form form={form}>
        <Textarea
          label="Message"
          description={`It leaves from ${phoneOf(answered.to)} and is charged like any message.`}
          autosize
          minRows={3}
          {...form.field("message")}
        />
        <Refusal screen="service" error={form.refusal} />
        <div data-least="sender">
          <SubmitButton missing={form.missing} isSending={form.isSending}>
            Send reply
          </SubmitButton>
        </div>
      </Form>
    </Panel>
  );
}
