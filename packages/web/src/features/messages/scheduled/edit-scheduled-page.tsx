import type { MessageAnswer } from "@ewebal/contract";
import { scheduledCalls } from "@ewebal/contract/calls";
import { useParams } from "@tanstack/react-router";
import { call } from "../../../lib/api/api.ts";
import { paths } from "../../../lib/paths.ts";
import { useSession } from "../../../lib/session/session.ts";
import { Page } from "../../../ui/layout/page.tsx";
import type { Source } from "../compose/composer.ts";
import { DEFAULT_TIME_ZONE, scheduleAt } from "./schedule.ts";
import { scheduledForm } from "../compose/send-form.ts";
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
    read: async (signal) =>
      readScheduled((await call(scheduledCalls.viewScheduledSms, { params: { userId, messageId }, signal })).data),
  });
  return (
    <SourceForm
      sourceQuery={sourceQuery}
      form={(source) => scheduledForm(userId, messageId, source)}
      notFound={notFound}
    />
  );
}

function readScheduled({
  senderName,
  message,
  phoneNo,
  code,
  sendAt,
  timeZone = DEFAULT_TIME_ZONE,
  counts,
  price,
}: MessageAnswer): Source {
  const schedule = sendAt === undefined ? undefined : scheduleAt(Date.parse(sendAt), timeZone);
  return {
    senderName,
    message,
    phoneNo,
    code,
    ...(schedule !== undefined && { schedule }),
    heldMilli: Math.round(counts.waiting * price * 1_000),
  };
}
