import { ActionIcon } from "@mantine/core";
import type { MessageAnswer } from "@ewebal/contract";
import { scheduledCalls } from "@ewebal/contract/calls";
import { limits } from "@ewebal/contract/rules";
import { IconClock, IconTrash } from "@tabler/icons-react";
import { useCallback, useMemo } from "react";
import { useQueryClient } from "@tanstack/react-query";
import { call } from "../../../lib/api/api.ts";
import { fixedTexts, explainFailure } from "../../../lib/texts/catalogue-texts.ts";
import { formatCount, formatUnits } from "../../../lib/texts/format.ts";
import { paths } from "../../../lib/paths.ts";
import { useSession } from "../../../lib/session/session.ts";
import { useAddressFilters } from "../../../lib/browser/use-address-filters.ts";
import { useCursorList, useUntilFound } from "../../../lib/api/use-cursor-list.ts";
import { DataTable, type Column } from "../../../ui/lists/data-table.tsx";
import { ButtonLink } from "../../../ui/kit/links.tsx";
import { ListStates } from "../../../ui/lists/list-states.tsx";
import { Page, focusMain } from "../../../ui/layout/page.tsx";
import { Panel } from "../../../ui/layout/panel.tsx";
import { RelativeTime } from "../../../ui/kit/relative-time.tsx";
import { SearchField } from "../../../ui/forms/search-field.tsx";
import { Inline } from "../../../ui/layout/boxes.tsx";
import { ShowMore } from "../../../ui/lists/show-more.tsx";
import classes from "../message-list.module.css";
import { editScheduledPath } from "../resend/carry-link.tsx";
import { DEFAULT_TIME_ZONE, formatInZone } from "./schedule.ts";
import { confirm } from "../../../ui/dialogs/confirm.tsx";
import { showNotice } from "../../../ui/feedback/notices.tsx";

/** Messages that wait for their time. When it has come, a message is pushed out of this list and into the history. */
export function ScheduledSmsPage() {
  const { userId } = useSession();
  const compose = (
    <ButtonLink to={paths.sendSms} leftSection={<IconClock size={18} stroke={1.8} aria-hidden />}>
      Schedule SMS
    </ButtonLink>
  );
  return (
    <Page title="Scheduled SMS" actions={compose}>
      {userId !== null && <Scheduled userId={userId} />}
    </Page>
  );
}

function Scheduled({ userId }: { userId: string }) {
  const { values, isAnyOn, set, clear } = useAddressFilters(["search"]);
  const list = useCursorList<MessageAnswer>({
    queryKey: ["scheduled", userId, values.search],
    read: async (after, signal) =>
      await call(scheduledCalls.populateScheduledSms, {
        params: { userId },
        query: { search: values.search, ...(after !== undefined && { after }) },
        signal,
      }),
  });
  const query = useUntilFound(list.query, list.rows.length);
  const onSearch = useCallback((search: string) => set({ search }), [set]);
  const columns = useColumns(userId);
  const empty = {
    title: fixedTexts.noMessages,
    text: "Choose Send later when you write a message, and it appears here until it is sent.",
    action: <ButtonLink to={paths.sendSms}>Schedule a message</ButtonLink>,
  };
  return (
    <Panel>
      {(isAnyOn || list.rows.length > 0 || query.isPending) && (
        <div className={classes.search}>
          <SearchField
            label="Search the scheduled messages"
            placeholder="Message, sender name or number"
            value={values.search}
            onSearch={onSearch}
          />
        </div>
      )}
      <ListStates query={query} rowCount={list.rows.length} empty={empty} onClearFilters={isAnyOn ? clear : undefined}>
        <DataTable caption="Scheduled messages" columns={columns} rows={list.rows} rowKey={({ _id }) => _id} />
        <ShowMore list={list} />
      </ListStates>
    </Panel>
  );
}

function useColumns(userId: string): readonly Column<MessageAnswer>[] {
  const deleteScheduled = useDeleteScheduled(userId);
  return useMemo(
    () => [
      { title: "Message", isHeading: true, width: "34%", cell: ({ message }) => previewOf(message) },
      { title: "Sender name", cell: ({ senderName }) => senderName },
      { title: "Recipients", isNumeric: true, cell: ({ recipients }) => formatCount(recipients) },
      { title: "Goes out", cell: (message) => <DueTime message={message} /> },
      {
        title: "Edit and delete",
        isActions: true,
        cell: (message) => (
          <Inline gap={4} align="center" justify="end">
            <ButtonLink to={editScheduledPath(message._id)} size="xs" variant="default">
              Edit<span className="visually-hidden"> the message from {message.senderName}</span>
            </ButtonLink>
            <ActionIcon
              variant="subtle"
              color="gray"
              size="lg"
              aria-label={`Delete the message from ${message.senderName}`}
              title="Delete"
              onClick={() => void deleteScheduled(message)}
            >
              <IconTrash size={18} stroke={1.7} aria-hidden />
            </ActionIcon>
          </Inline>
        ),
      },
    ],
    [deleteScheduled],
  );
}

/** The first 50 characters. (specification, section 9) */
export function previewOf(text: string): string {
  const characters = Array.from(text);
  return characters.length <= limits.previewCharacters
    ? text
    : `${characters.slice(0, limits.previewCharacters).join("")}...`;
}

function DueTime({ message: { sendAt, timeZone = DEFAULT_TIME_ZONE } }: { message: MessageAnswer }) {
  if (sendAt === undefined) return null;
  return (
    <>
      <RelativeTime iso={sendAt} isAhead />
      <p className="muted">{formatInZone(sendAt, timeZone)}</p>
    </>
  );
}

/** Asks, deletes, and says that the units came back. */
function useDeleteScheduled(userId: string): (message: MessageAnswer) => Promise<void> {
  const queryClient = useQueryClient();
  return useCallback(
    async ({ _id: messageId, counts, price }) => {
      const units = formatUnits(counts.waiting * price);
      const isConfirmed = await confirm({
        title: "Delete this message?",
        text: `It will not be sent, and the ${units} units set aside for it go back to your balance.`,
      });
      if (!isConfirmed) return;
      try {
        const { message } = await call(scheduledCalls.deleteScheduledSms, { params: { userId, messageId } });
        showNotice({ title: message, text: `${units} units are back in your balance` });
      } catch (error) {
        // It may have started meanwhile; the list must not go on offering it.
        showNotice(explainFailure(error));
      }
      for (const name of ["scheduled", "user"]) void queryClient.invalidateQueries({ queryKey: [name] });
      focusMain();
    },
    [queryClient, userId],
  );
}
