import { ApiError } from "../../lib/api/api.ts";
import { Callout } from "../../ui/kit/callout.tsx";
import { Dialog } from "../../ui/dialogs/dialog.tsx";
import { PasswordField } from "../../ui/forms/fields.tsx";
import { Form, useForm } from "../../ui/forms/form.tsx";
import { SubmitButton } from "../../ui/forms/submit-button.tsx";

export type SwitchDialogProps = {
  /** Switches, or throws why not. */
  switchWith: (password: string) => Promise<unknown>;
  onClose: () => void;
};

/** Asks for the administrator's own password, for who signed in as a customer. A second factor is asked for by itself. */
export function SwitchDialog({ switchWith, onClose }: SwitchDialogProps) {
  const form = useForm({
    initial: { password: "" },
    missing: ({ password }) => (password === "" ? ["password"] : []),
    send: async ({ password }) => {
      await switchWith(password);
      onClose();
    },
  });
  const { refusal } = form;
  return (
    <Dialog opened onClose={onClose} title="Switch to the admin dashboard" size="sm">
      <Form form={form}>
        <PasswordField
          label="Administrator password"
          description="You signed in as a customer. The admin dashboard opens with the password of your administrator account."
          autoComplete="current-password"
          data-autofocus
          {...form.field("password")}
        />
        {refusal instanceof ApiError && <Callout tone="error" title={refusal.message} isAnnounced />}
        {refusal instanceof Error && !(refusal instanceof ApiError) && (
          <Callout tone="error" title="No answer from the server. Please try again" isAnnounced />
        )}
        <SubmitButton missing={form.missing} isSending={form.isSending}>
          Switch
        </SubmitButton>
      </Form>
    </Dialog>
  );
}
