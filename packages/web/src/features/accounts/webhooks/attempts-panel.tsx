import { Badge, Button, TextInput } from "@mantine/core";
import type { ReplayBody, WebhookAnswer, WebhookAttemptAnswer } from "@ewebal/contract";
import { webhookCalls } from "@ewebal/contract/calls";
import { webhookLimits } from "@ewebal/contract/rules";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { call } from "../../../lib/api/api.ts";
import { useCursorList } from "../../../lib/api/use-cursor-list.ts";
import { useAddressFilters } from "../../../lib/browser/use-address-filters.ts";
import { explainFailure } from "../../../lib/texts/catalogue-texts.ts";
import { formatCounted, formatDateTime } from "../../../lib/texts/format.ts";
import { Dialog } from "../../../ui/dialogs/dialog.tsx";
import { showNotice } from "../../../ui/feedback/notices.tsx";
import { Form, useForm } from "../../../ui/forms/form.tsx";
import { SubmitButton } from "../../../ui/forms/submit-button.tsx";
import { NativeSelect } from "../../../ui/forms/native-select.tsx";
import { Callout } from "../../../ui/kit/callout.tsx";
import { Panel } from "../../../ui/layout/panel.tsx";
import { type Column, DataTable } from "../../../ui/lists/data-table.tsx";
import { ChoiceFilter } from "../../../ui/lists/filter-fields.tsx";
import { ListStates } from "../../../ui/lists/list-states.tsx";
import { ListTools } from "../../../ui/lists/list-tools.tsx";
import { ShowMore } from "../../../ui/lists/show-more.tsx";

const STATE_CHOICES = [
  ["delivered", "Delivered"],
  ["failed", "Failed"],
] as const;

const EMPTY = {
  title: "Nothing was posted yet",
  text: "Attempts appear here when something happens that this webhook is told of. A message of a test key will do.",
};

type AttemptsPanelProps = { userId: string; webhooks: readonly WebhookAnswer[] };

/** What was posted to one webhook and answered, and the ways to post it again. */
export function AttemptsPanel({ userId, webhooks }: AttemptsPanelProps) {
  const filters = useAddressFilters(["state"]);
  const choice = useAddressFilters(["webhook"]);
  const webhook = webhooks.find(({ _id }) => _id === choice.values.webhook) ?? webhooks[0];
  const state = STATE_CHOICES.map(([value]) => value).find((value) => value === filters.values.state);
  const webhookId = webhook?._id ?? "";
  const list = useCursorList<WebhookAttemptAnswer>({
    queryKey: ["webhook-attempts", userId, webhookId, state],
    read: async (after, signal) =>
      await call(webhookCalls.webhookAttempts, {
        params: { userId, webhookId },
        query: { ...(state !== undefined && { state }), ...(after !== undefined && { after }) },
        signal,
      }),
  });
  const [isRangeOpen, setRangeOpen] = useState(false);
  const replay = useReplay(userId, webhookId);
  const replayOrSay = (wish: ReplayBody): void => {
    replay(wish).catch((error: unknown) => showNotice(explainFailure(error)));
  };
  const isOff = webhook?.state === "off";
  return (
    <Panel title="Attempts">
      <ListTools
        filters={filters}
        actions={
          <>
            <Button
              data-least="owner"
              size="sm"
              variant="default"
              disabled={isOff}
              onClick={() => replayOrSay({ failed: true })}
            >
              Replay all failed
            </Button>
            <Button data-least="owner" size="sm" variant="default" disabled={isOff} onClick={() => setRangeOpen(true)}>
              Replay a time range
            </Button>
          </>
        }
      >
        {webhooks.length > 1 && (
          <NativeSelect
            size="sm"
            label="Webhook"
            name="webhook"
            value={webhookId}
            onValue={(value) => choice.set({ webhook: value })}
          >
            {webhooks.map(({ _id, url }) => (
              <option key={_id} value={_id}>
                {url}
              </option>
            ))}
          </NativeSelect>
        )}
        <ChoiceFilter
          label="State"
          name="state"
          value={state ?? ""}
          onValue={(value) => filters.set({ state: value })}
          all="Every state"
          choices={STATE_CHOICES}
        />
      </ListTools>
      {isOff && <p className="muted small">Switch this webhook on to replay what it missed.</p>}
      <ListStates
        query={list.query}
        rowCount={list.rows.length}
        empty={EMPTY}
        onClearFilters={filters.isAnyOn ? filters.clear : undefined}
        skeletonRows={3}
      >
        <DataTable
          caption="Attempts"
          columns={attemptColumns(isOff, ({ eventId }) => replayOrSay({ eventId }))}
          rows={list.rows}
          rowKey={({ _id }) => _id}
        />
        <ShowMore list={list} />
      </ListStates>
      <RangeDialog opened={isRangeOpen} onClose={() => setRangeOpen(false)} replay={replay} />
    </Panel>
  );
}

function attemptColumns(
  isOff: boolean,
  onReplay: (attempt: WebhookAttemptAnswer) => void,
): Column<WebhookAttemptAnswer>[] {
  return [
    { title: "Time", cell: ({ at }) => formatDateTime(at), width: "17%" },
    { title: "Event", isHeading: true, cell: ({ type }) => type, width: "18%" },
    {
      title: "State",
      cell: ({ state }) => (
        <Badge miw="max-content" variant="light" color={state === "delivered" ? "green" : "red"}>
          {state === "delivered" ? "Delivered" : "Failed"}
        </Badge>
      ),
    },
    { title: "Status", isNumeric: true, cell: ({ status }) => (status === 0 ? "No answer" : String(status)) },
    { title: "Time taken", isNumeric: true, cell: ({ ms }) => `${ms.toLocaleString("en")} ms` },
    {
      title: "Answer",
      isText: true,
      cell: ({ answer }) => <span className="anywhere small">{answer === "" ? "Empty" : answer}</span>,
      width: "26%",
    },
    {
      title: "Replay",
      isActions: true,
      cell: (attempt) => (
        <Button
          data-least="owner"
          size="xs"
          variant="default"
          disabled={isOff}
          aria-label={`Replay ${attempt.type} of ${formatDateTime(attempt.at)}`}
          onClick={() => onReplay(attempt)}
        >
          Replay
        </Button>
      ),
    },
  ];
}

function useReplay(userId: string, webhookId: string): (body: ReplayBody) => Promise<void> {
  const queryClient = useQueryClient();
  return async (body) => {
    const { data } = await call(webhookCalls.replayWebhook, { params: { userId, webhookId }, body });
    showNotice(
      data.queued === 0
        ? { title: "There is nothing to replay" }
        : { title: `${formatCounted(data.queued, "event")} on the way` },
    );
    await queryClient.invalidateQueries({ queryKey: ["webhook-attempts", userId, webhookId] });
  };
}

type RangeDialogProps = {
  opened: boolean;
  onClose: () => void;
  replay: (body: ReplayBody) => Promise<void>;
};

/** Times by this device's clock, as the list shows them. */
function RangeDialog({ opened, onClose, replay }: RangeDialogProps) {
  return (
    <Dialog opened={opened} onClose={onClose} title="Replay a time range">
      <RangeForm onClose={onClose} replay={replay} />
    </Dialog>
  );
}

function RangeForm({ onClose, replay }: Pick<RangeDialogProps, "onClose" | "replay">) {
  const form = useForm({
    initial: { from: "", to: "" },
    missing: ({ from, to }) => [...(from === "" ? ["from"] : []), ...(to === "" ? ["to"] : [])],
    send: async ({ from, to }) => {
      await replay({ from: new Date(from).toISOString(), to: new Date(to).toISOString() });
      onClose();
    },
  });
  return (
    <Form form={form}>
      <p>
        Posts every event of that time again, delivered ones too, under the same ids. Events are kept for{" "}
        {webhookLimits.keptDays} days.
      </p>
      <TextInput type="datetime-local" label="From" data-autofocus {...form.field("from")} />
      <TextInput type="datetime-local" label="To" min={form.values.from} {...form.field("to")} />
      {form.refusal instanceof Error && <Callout tone="error" title={form.refusal.message} isAnnounced />}
      <SubmitButton missing={form.missing} isSending={form.isSending}>
        Replay
      </SubmitButton>
    </Form>
  );
}
