import { TextInput } from "@mantine/core";
import { adminUserCalls } from "@ewebal/contract/calls";
import { call } from "../../../lib/api/api.ts";
import { Dialog } from "../../../ui/dialogs/dialog.tsx";
import { Refusal } from "../../../ui/feedback/refusal.tsx";
import { showNotice } from "../../../ui/feedback/notices.tsx";
import { Form, useForm } from "../../../ui/forms/form.tsx";
import { SubmitButton } from "../../../ui/forms/submit-button.tsx";

type EraseNumberDialogProps = { adminId: string; opened: boolean; onClose: () => void };

/** Asks for one number that shall stand nowhere any more. */
export function EraseNumberDialog({ adminId, opened, onClose }: EraseNumberDialogProps) {
  const form = useForm({
    initial: { phoneNo: "" },
    missing: ({ phoneNo }) => (/[0-9]/.test(phoneNo) ? [] : ["the number"]),
    send: async ({ phoneNo }) => {
      const { message } = await call(adminUserCalls.eraseNumber, { params: { adminId }, body: { phoneNo } });
      form.set("phoneNo", "");
      onClose();
      showNotice({ title: message });
    },
  });
  return (
    <Dialog opened={opened} onClose={onClose} title="Erase a number" size="sm">
      <Form form={form}>
        <p className="muted">
          When somebody asks to be forgotten: the number goes from the contacts, drafts, message recipients, inboxes and
          codes of all customers, and cannot be brought back. It stays on this list and on lists of opt-outs, so that
          nobody writes to it again.
        </p>
        <TextInput
          label="Number"
          description="Include the country code; a leading 0 means Nigeria"
          inputMode="tel"
          autoComplete="off"
          data-autofocus
          {...form.field("phoneNo")}
        />
        <Refusal screen="service" error={form.refusal} />
        <SubmitButton missing={form.missing} isSending={form.isSending} color="red">
          Erase the number
        </SubmitButton>
      </Form>
    </Dialog>
  );
}
