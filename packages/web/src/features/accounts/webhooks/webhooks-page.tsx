import { Badge, Button } from "@mantine/core";
import type { WebhookAnswer } from "@ewebal/contract";
import { webhookCalls } from "@ewebal/contract/calls";
import { webhookEventTypes, webhookLimits } from "@ewebal/contract/rules";
import { IconPlus } from "@tabler/icons-react";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { call } from "../../../lib/api/api.ts";
import { useCursorList } from "../../../lib/api/use-cursor-list.ts";
import { paths } from "../../../lib/paths.ts";
import { useSession } from "../../../lib/session/session.ts";
import { explainFailure } from "../../../lib/texts/catalogue-texts.ts";
import { confirm } from "../../../ui/dialogs/confirm.tsx";
import { showNotice } from "../../../ui/feedback/notices.tsx";
import { ServerLink } from "../../../ui/kit/links.tsx";
import { Stack } from "../../../ui/layout/boxes.tsx";
import { Page } from "../../../ui/layout/page.tsx";
import { Panel } from "../../../ui/layout/panel.tsx";
import { type Column, DataTable } from "../../../ui/lists/data-table.tsx";
import { ListStates } from "../../../ui/lists/list-states.tsx";
import { ShowMore } from "../../../ui/lists/show-more.tsx";
import { AttemptsPanel } from "./attempts-panel.tsx";
import { type Opened, WebhookDialog } from "./webhook-dialog.tsx";

/** Where the customer's programs are told of events, what was tried there, and what was answered. */
export function WebhooksPage() {
  const { userId } = useSession();
  const [opened, setOpened] = useState<Opened>();
  const make = (
    <Button
      data-least="owner"
      leftSection={<IconPlus size={18} stroke={1.8} aria-hidden />}
      onClick={() => setOpened({ kind: "new" })}
    >
      New webhook
    </Button>
  );
  return (
    <Page
      title="Webhooks"
      intro={
        <>
          We call your server when something happens to your messages or your account. Each call is signed, so your
          program knows that it is ours. <ServerLink href={paths.apiReference}>Events and signatures</ServerLink>
        </>
      }
      actions={make}
    >
      {userId !== null && <Webhooks userId={userId} onOpen={setOpened} />}
      {userId !== null && <WebhookDialog userId={userId} opened={opened} onOpen={setOpened} />}
    </Page>
  );
}

type WebhooksProps = { userId: string; onOpen: (opened: Opened) => void };

function Webhooks({ userId, onOpen }: WebhooksProps) {
  const list = useCursorList<WebhookAnswer>({
    queryKey: ["webhooks", userId],
    read: async (after, signal) =>
      await call(webhookCalls.webhooks, {
        params: { userId },
        query: { ...(after !== undefined && { after }) },
        signal,
      }),
  });
  const empty = {
    title: "There are no webhooks",
    text: "Without one, programs have to ask for the state of each message.",
    action: (
      <Button data-least="owner" onClick={() => onOpen({ kind: "new" })}>
        Create your first webhook
      </Button>
    ),
  };
  return (
    <Stack gap={24}>
      <Panel>
        <ListStates query={list.query} rowCount={list.rows.length} empty={empty} skeletonRows={2}>
          <DataTable
            caption="Webhooks"
            columns={useColumns(userId, onOpen)}
            rows={list.rows}
            rowKey={({ _id }) => _id}
          />
          <ShowMore list={list} />
        </ListStates>
      </Panel>
      {list.rows.length > 0 && <AttemptsPanel userId={userId} webhooks={list.rows} />}
    </Stack>
  );
}

function useColumns(userId: string, onOpen: (opened: Opened) => void): Column<WebhookAnswer>[] {
  const { toggle, rotate, remove } = useChanges(userId, onOpen);
  return [
    { title: "Address", isHeading: true, cell: ({ url }) => <span className="anywhere">{url}</span>, width: "30%" },
    {
      title: "Events",
      cell: ({ events }) => (events.length === webhookEventTypes.length ? "Everything" : events.join(", ")),
    },
    {
      title: "State",
      cell: ({ state, offReason }) => (
        <>
          <Badge miw="max-content" variant="light" color={state === "on" ? "green" : "gray"}>
            {state === "on" ? "On" : "Off"}
          </Badge>
          {offReason !== undefined && <span className="muted small"> {offReason}</span>}
        </>
      ),
      width: "18%",
    },
    {
      title: "Change",
      isActions: true,
      cell: (webhook) => {
        const actions = [
          ["Edit", () => onOpen({ kind: "edit", webhook })],
          [webhook.state === "on" ? "Switch off" : "Switch on", () => void toggle(webhook)],
          ["New secret", () => void rotate(webhook)],
          ["Delete", () => void remove(webhook)],
        ] as const;
        return actions.map(([title, onClick]) => (
          <Button
            key={title}
            data-least="owner"
            size="xs"
            variant="default"
            m={2}
            aria-label={`${title}: ${webhook.url}`}
            onClick={onClick}
          >
            {title}
          </Button>
        ));
      },
    },
  ];
}

type Changes = Record<"toggle" | "rotate" | "remove", (webhook: WebhookAnswer) => Promise<void>>;

function useChanges(userId: string, onOpen: (opened: Opened) => void): Changes {
  const queryClient = useQueryClient();
  const change = async (send: () => Promise<void>): Promise<void> => {
    try {
      await send();
    } catch (error) {
      showNotice(explainFailure(error));
    }
    await queryClient.invalidateQueries({ queryKey: ["webhooks", userId] });
  };
  return {
    toggle: async ({ _id: webhookId, state }) =>
      await change(async () => {
        const body = { state: state === "on" ? "off" : "on" } as const;
        await call(webhookCalls.editWebhook, { params: { userId, webhookId }, body });
        showNotice(
          body.state === "on"
            ? { title: "The webhook is on", text: "What it missed while it was off can be replayed below." }
            : { title: "The webhook is off", text: "Events are kept and can be replayed when it is on again." },
        );
      }),
    rotate: async ({ _id: webhookId, url }) => {
      const isWanted = await confirm({
        title: "Make a new secret?",
        text: `${url} is signed with both secrets for ${webhookLimits.oldSecretHours} hours, then with the new one alone.`,
      });
      if (!isWanted) return;
      await change(async () => {
        const { data } = await call(webhookCalls.rotateWebhookSecret, {
          params: { userId, webhookId },
          body: undefined,
        });
        onOpen({ kind: "secret", url, secret: data.secret });
      });
    },
    remove: async ({ _id: webhookId, url }) => {
      const isWanted = await confirm({
        title: "Delete the webhook?",
        text: `Nothing more is posted to ${url}, and its attempts are forgotten. You can't undo this.`,
      });
      if (!isWanted) return;
      await change(async () => {
        const { message } = await call(webhookCalls.deleteWebhook, { params: { userId, webhookId }, body: undefined });
        showNotice({ title: message });
      });
    },
  };
}
