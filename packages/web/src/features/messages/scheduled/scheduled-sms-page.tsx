import type { MessageAnswer } from "@ewebal/contract";
import { scheduledCalls } from "@ewebal/contract/calls";
import { limits } from "@ewebal/contract/rules";
import { IconClock } from "@tabler/icons-react";
import { useCallback, useMemo } from "react";
import { useQueryClient } from "@tanstack/react-query";
import { call } from "../../../lib/api/api.ts";
import { fixedTexts, explainFailure } from "../../../lib/texts/catalogue-texts.ts";
import { formatCount, formatUnits } from "../../../lib/texts/format.ts";
import { paths } from "../../../lib/paths.ts";
import { useSession } from "../../../lib/session/session.ts";
import type { Column } from "../../../ui/lists/data-table.tsx";
import { ButtonLink } from "../../../ui/kit/links.tsx";
import { Page, focusMain } from "../../../ui/layout/page.tsx";
import { RelativeTime } from "../../../ui/kit/relative-time.tsx";
import { EditAndDelete, KeptMessages } from "../kept-messages.tsx";
import { editScheduledPath } from "../resend/carry-link.tsx";
import { repeatInWords } from "./repeat-words.ts";
import { DEFAULT_TIME_ZONE, formatInZone, scheduleAt } from "./schedule.ts";
import { confirm } from "../../../ui/dialogs/confirm.tsx";
import { showNotice } from "../../../ui/feedback/notices.tsx";

/** Messages that wait for their time. When it has come, a message is pushed out of this list and into the history. */
export function ScheduledSmsPage() {
  const { userId } = useSession();
  const compose = (
    <ButtonLink to={paths.sendSms} data-least="sender" leftSection={<IconClock size={18} stroke={1.8} aria-hidden />}>
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
  const columns = useColumns(userId);
  return (
    <KeptMessages<MessageAnswer>
      userId={userId}
      topic="scheduled"
      caption="Scheduled messages"
      searchLabel="Search the scheduled messages"
      read={async (query, signal) =>
        await call(scheduledCalls.populateScheduledSms, { params: { userId }, query, signal })
      }
      columns={columns}
      empty={{
        title: fixedTexts.noMessages,
        text: "Choose Send later when you write a message, and it appears here until it is sent.",
        action: (
          <ButtonLink to={paths.sendSms} data-least="sender">
            Schedule a message
          </ButtonLink>
        ),
      }}
    />
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
          <EditAndDelete
            edit={
              <ButtonLink to={editScheduledPath(message._id)} data-least="sender" size="xs" variant="default">
                Edit<span className="visually-hidden"> the message from {message.senderName}</span>
              </ButtonLink>
            }
            name={`the message from ${message.senderName}`}
            onDelete={async () => await deleteScheduled(message)}
          />
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

function DueTime({ message }: { message: MessageAnswer }) {
  const { sendAt, timeZone = DEFAULT_TIME_ZONE, repeat, nextTimes = [], deferredUntil, validUntil } = message;
  if (sendAt === undefined) return null;
  const further = nextTimes.filter((time) => time !== sendAt);
  return (
    <>
      <RelativeTime iso={sendAt} isAhead />
      <p className="muted">{formatInZone(sendAt, timeZone)}</p>
      {deferredUntil !== undefined && (
        <p className="muted">Leaves at {scheduleAt(Date.parse(deferredUntil), timeZone).time}</p>
      )}
      {validUntil !== undefined && <p className="muted">Valid until {formatInZone(validUntil, timeZone)}</p>}
      {repeat !== undefined && (
        <>
          <p className="strong">{repeatInWords(repeat)}</p>
          {further.map((time) => (
            <p key={time} className="muted">
              then {formatInZone(time, timeZone)}
            </p>
          ))}
          {repeat.until !== undefined && <p className="muted">until {formatInZone(repeat.until, timeZone)}</p>}
        </>
      )}
    </>
  );
}

/** Asks, deletes, and says that the units came back. */
function useDeleteScheduled(userId: string): (message: MessageAnswer) => Promise<void> {
  const queryClient = useQueryClient();
  return useCallback(
    async ({ _id: messageId, counts, price, units: held, repeat }) => {
      // Where texts differ, recipients pay different prices.
      const units = formatUnits(held?.reserved ?? counts.waiting * price);
      const again = repeat === undefined ? "" : " nor again";
      const isConfirmed = await confirm({
        title: "Delete this message?",
        text: `It will not be sent${again}, and the ${units} units set aside for it go back to your balance.`,
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
