import { useSession } from "../../../lib/session/session.ts";
import { Page } from "../../../ui/layout/page.tsx";
import { ComposeForm } from "./compose-form.tsx";
import { newMessageForm } from "./send-form.ts";

/** A new message, now or later. */
export function SendSmsPage() {
  const { userId } = useSession();
  return (
    <Page title="Send SMS" intro="One message to as many numbers as you like, now or later.">
      {userId !== null && <ComposeForm form={newMessageForm(userId)} />}
    </Page>
  );
}
