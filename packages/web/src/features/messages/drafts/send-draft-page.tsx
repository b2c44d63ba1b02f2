import type { DraftAnswer } from "@ewebal/contract";
import { draftCalls } from "@ewebal/contract/calls";
import { useParams } from "@tanstack/react-router";
import { call } from "../../../lib/api/api.ts";
import { findCarried } from "../resend/carried-messages.ts";
import { paths } from "../../../lib/paths.ts";
import { useSession } from "../../../lib/session/session.ts";
import { Page } from "../../../ui/layout/page.tsx";
import type { Source } from "../compose/composer.ts";
import { choicesOf } from "../personal/personal-send.ts";
import { draftForm } from "../compose/send-form.ts";
import { SourceForm, useSource } from "../compose/source-form.tsx";

/** A draft, to be changed and sent or saved again. */
export function SendDraftPage() {
  const { userId } = useSession();
  const { id = "" } = useParams({ strict: false });
  return (
    <Page
      title="Send draft"
      intro="Change it, then send it or save it again."
      back={{ to: paths.draftedSms, label: "Drafted SMS" }}
    >
      {userId !== null && <Draft key={id} userId={userId} draftId={id} />}
    </Page>
  );
}

const notFound = { title: "This draft no longer exists", backTo: paths.draftedSms, backLabel: "Drafted SMS" };

function Draft({ userId, draftId }: { userId: string; draftId: string }) {
  const sourceQuery = useSource({
    queryKey: ["draft-form", userId, draftId],
    read: async (signal) =>
      findCarried("draft-history", draftId) ??
      toSource((await call(draftCalls.viewOneDraft, { params: { userId, draftId }, signal })).data),
  });
  return <SourceForm sourceQuery={sourceQuery} form={() => draftForm(userId, draftId)} notFound={notFound} />;
}

function toSource(draft: DraftAnswer): Source {
  const { code, senderName, message, phoneNo, recipients } = draft;
  return { code, senderName, message, phoneNo, recipients, choices: choicesOf(draft) };
}
