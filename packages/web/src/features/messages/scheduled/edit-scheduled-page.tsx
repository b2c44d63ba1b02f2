import { messageCalls, scheduledCalls } from "@ewebal/contract/calls";
import { useParams } from "@tanstack/react-router";
import { call, callText } from "../../../lib/api/api.ts";
import { paths } from "../../../lib/paths.ts";
import { useSession } from "../../../lib/session/session.ts";
import { Page } from "../../../ui/layout/page.tsx";
import type { Source } from "../compose/composer.ts";
import { DEFAULT_TIME_ZONE, scheduleAt } from "./schedule.ts";
import { scheduledForm } from "../compose/send-form.ts";
import { choicesOf, tableOfValues } from "../personal/personal-send.ts";
import { SourceForm, useSource } from "../compose/source-form.tsx";

/** A message that waits for its time, to be changed. */
export function EditScheduledPage() {
  const { userId } = useSession();
  const { id = "" } = useParams({ strict: false });
  return (
    <Page
      title="Edit scheduled SMS"
      intro="Change the message or its time. Until you save, it stays as it is."
      back={{ to: paths.scheduledSms, label: "Scheduled SMS" }}
    >
      {userId !== null && <Scheduled key={id} userId={userId} messageId={id} />}
    </Page>
  );
}

const notFound = {
  title: "This message is no longer scheduled",
  backTo: paths.scheduledSms,
  backLabel: "Scheduled SMS",
};

function Scheduled({ userId, messageId }: { userId: string; messageId: string }) {
  const sourceQuery = useSource({
    queryKey: ["scheduled-form", userId, messageId],
    read: async (signal) => await readScheduled({ userId, messageId }, signal),
  });
  return (
    <SourceForm
      sourceQuery={sourceQuery}
      form={(source) => scheduledForm(userId, messageId, source)}
      notFound={notFound}
    />
  );
}

async function readScheduled(params: { userId: string; messageId: string }, signal: AbortSignal): Promise<Source> {
  const answer = (await call(scheduledCalls.viewScheduledSms, { params, signal })).data;
  const { senderName, message, phoneNo, code, sendAt, timeZone = DEFAULT_TIME_ZONE, repeat, counts, price } = answer;
  const schedule = sendAt === undefined ? undefined : { ...scheduleAt(Date.parse(sendAt), timeZone), repeat };
  const source = { senderName, message, code, choices: choicesOf(answer, timeZone), ...(schedule && { schedule }) };
  const heldMilli = Math.round((answer.units?.reserved ?? counts.waiting * price) * 1_000);
  if (answer.isMerged !== true) return { ...source, phoneNo, heldMilli };
  const values = await callText(messageCalls.recipientValues, { params, signal });
  // Unless others are chosen, they stay with the message, whatever is known of them.
  return { ...source, phoneNo, heldMilli, table: { ...tableOfValues(values), isKept: true } };
}
