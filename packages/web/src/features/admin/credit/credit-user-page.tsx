import { TextInput } from "@mantine/core";
import type { UserAnswer } from "@ewebal/contract";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState, type FormEvent } from "react";
import { adminCalls } from "@ewebal/contract/calls";
import { NetworkError, call } from "../../../lib/api/api.ts";
import { formatUnits } from "../../../lib/texts/format.ts";
import { useSession } from "../../../lib/session/session.ts";
import { DetailList } from "../../../ui/kit/detail-list.tsx";
import { Form, useForm, type FormState } from "../../../ui/forms/form.tsx";
import { Page } from "../../../ui/layout/page.tsx";
import { Panel } from "../../../ui/layout/panel.tsx";
import { Refusal } from "../../../ui/feedback/refusal.tsx";
import { SubmitButton } from "../../../ui/forms/submit-button.tsx";
import { Stack } from "../../../ui/layout/boxes.tsx";
import { confirm } from "../../../ui/dialogs/confirm.tsx";
import { showNotice } from "../../../ui/feedback/notices.tsx";
import { CustomerSelect } from "../customer-select.tsx";
import { customerQuery } from "../customers.ts";
import { balanceAfter, cleanUnits, creditQuestion, findMissingForCredit, CreditKeys } from "./credit-rules.ts";
import classes from "./credit-user-page.module.css";

/** Manual credit, for money that did not come by card or bank deposit. */
export function CreditUserPage() {
  const { adminId } = useSession();
  return (
    <Page
      title="Credit User"
      intro="The user gets the units at once, and a mail about them. You can't take them back here."
    >
      {adminId !== null && <CreditPanel adminId={adminId} />}
    </Page>
  );
}

function CreditPanel({ adminId }: { adminId: string }) {
  const [chosen, setChosen] = useState<UserAnswer>();
  // The list may be minutes old; the balance to confirm is read again.
  const { data: fresh } = useQuery({ ...customerQuery(chosen?._id ?? ""), enabled: chosen !== undefined });
  const user = chosen === undefined ? undefined : (fresh ?? chosen);
  const form = useCreditForm({ adminId, user, onDone: () => setChosen(undefined) });
  const { units } = form.values;

  return (
    <Stack gap={16} align="top" className={classes.columns}>
      <Panel title="Credit">
        <Form form={form}>
          <CustomerSelect
            value={user}
            error={form.field("email").error}
            onChange={(next) => {
              setChosen(next);
              form.set("email", next?.email ?? "");
            }}
          />
          <TextInput
            label="SMS credit (units)"
            description="Whole units, digits only. 1 unit is 1 naira of sending credit."
            inputMode="numeric"
            autoComplete="off"
            {...form.field("units")}
            onChange={({ currentTarget }) => form.set("units", cleanUnits(currentTarget.value))}
          />
          <Refusal
            screen="manualCredit"
            error={form.refusal}
            action={
              form.refusal instanceof NetworkError ? (
                <p>Press the button again. The user is credited only once, even if the first try went through.</p>
              ) : undefined
            }
          />
          <SubmitButton missing={form.missing} isSending={form.isSending}>
            Credit User
          </SubmitButton>
        </Form>
      </Panel>
      {user !== undefined && (
        <Panel title="User">
          <DetailList
            rows={[
              { name: "User Name", value: user.userName },
              { name: "Full Name", value: user.fullName },
              { name: "Email", value: user.email },
              { name: "Units now", value: formatUnits(user.units) },
              {
                name: "Units after",
                value: units === "" ? "Enter the units first" : formatUnits(balanceAfter(user, units)),
              },
            ]}
          />
        </Panel>
      )}
    </Stack>
  );
}

type CreditForm = FormState<{ email: string; units: string }>;

type CreditFormOptions = {
  adminId: string;
  /** The chosen customer, with the current balance. */
  user: UserAnswer | undefined;
  /** Called when the customer is credited and the form is empty. */
  onDone: () => void;
};

/** The form of a manual credit: asks first, credits once, and empties itself. */
function useCreditForm({ adminId, user, onDone }: CreditFormOptions): CreditForm {
  const queryClient = useQueryClient();
  const [keys] = useState(() => new CreditKeys());
  const form: CreditForm = useForm({
    initial: { email: "", units: "" },
    missing: findMissingForCredit,
    schema: async () => (await import("@ewebal/contract/schemas/admin/admin")).adminSchemas.creditAUser.body,
    send: async (body) => {
      const { message, data } = await call(adminCalls.creditAUser, {
        params: { adminId },
        body,
        headers: { "idempotency-key": keys.keyFor(body) },
      });
      keys.renew();
      showNotice(
        "units" in data
          ? { title: message, text: `The balance is now ${formatUnits(data.units)} units` }
          : { title: message, tone: "info" },
      );
      form.set("email", "");
      form.set("units", "");
      onDone();
      await queryClient.invalidateQueries({ queryKey: ["admin"] });
    },
  });

  const ask = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (form.missing.length > 0 || form.isSending || user === undefined) return;
    // Asks before the form counts as sent, so that the focus can return to its button. It sends what it asked about.
    if (await confirm(creditQuestion(user, form.values.units))) form.onSubmit(event);
  };
  return { ...form, onSubmit: (event) => void ask(event) };
}
