import { messageCalls } from "@ewebal/contract/calls";
import { useParams } from "@tanstack/react-router";
import { call, callText } from "../../../lib/api/api.ts";
import { findCarried } from "./carried-messages.ts";
import { paths } from "../../../lib/paths.ts";
import { useSession } from "../../../lib/session/session.ts";
import { Page } from "../../../ui/layout/page.tsx";
import type { Source } from "../compose/composer.ts";
import { holdsAllNumbers } from "../message-queries.ts";
import { choicesOf, tableOfValues } from "../personal/personal-send.ts";
import { resendForm } from "../compose/send-form.ts";
import { SourceForm, useSource } from "../compose/source-form.tsx";

/** A sent message, to be sent once more: to the same people or others, as it was or changed. */
export function ResendSmsPage() {
  const { userId } = useSession();
  const { id = "" } = useParams({ strict: false });
  return (
    <Page
      title="Resend SMS"
      back={{ to: paths.smsHistory, label: "SMS history" }}
      intro="The message as it was sent, with all its recipients. You can change it before you send it."
    >
      {userId !== null && <Resend key={id} userId={userId} messageId={id} />}
    </Page>
  );
}

const notFound = {
  title: "This message is no longer in your history",
  backTo: paths.smsHistory,
  backLabel: "SMS history",
};

function Resend({ userId, messageId }: { userId: string; messageId: string }) {
  const sourceQuery = useSource({
    queryKey: ["resend-form", userId, messageId],
    read: async (signal) => findCarried("sms-history", messageId) ?? (await readMessage({ userId, messageId }, signal)),
  });
  return <SourceForm sourceQuery={sourceQuery} form={() => resendForm(userId, messageId)} notFound={notFound} />;
}

async function readMessage(params: { userId: string; messageId: string }, signal: AbortSignal): Promise<Source> {
  const message = (await call(messageCalls.viewOneSms, { params, signal })).data;
  const { code, senderName, message: text, phoneNo } = message;
  const fields = { code, senderName, message: text, choices: choicesOf(message) };
  if (holdsAllNumbers(message) && message.isMerged !== true) return { ...fields, phoneNo };
  const values = await callText(messageCalls.recipientValues, { params, signal });
  return { ...fields, phoneNo: "", table: tableOfValues(values) };
}
