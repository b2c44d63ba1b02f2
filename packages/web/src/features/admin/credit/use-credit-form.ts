import type { UserAnswer } from "@ewebal/contract";
import { adminCalls } from "@ewebal/contract/calls";
import { useQueryClient } from "@tanstack/react-query";
import { useState, type FormEvent } from "react";
import { call } from "../../../lib/api/api.ts";
import { formatUnits } from "../../../lib/texts/format.ts";
import { confirm } from "../../../ui/dialogs/confirm.tsx";
import { useForm, type FormState } from "../../../ui/forms/form.tsx";
import { showNotice } from "../../../ui/feedback/notices.tsx";
import { CreditKeys } from "./credit-keys.ts";
import { creditQuestion, findMissingForCredit } from "./credit-rules.ts";

type CreditForm = FormState<{ email: string; units: string }>;

type CreditFormOptions = {
  adminId: string;
  /** The chosen customer, with the balance of now. */
  user: UserAnswer | undefined;
  /** Called when the customer is credited and the form empty again. */
  onDone: () => void;
};

/** The form of a manual credit: asks first, credits once, and starts afresh. */
export function useCreditForm({ adminId, user, onDone }: CreditFormOptions): CreditForm {
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
    // Asked before the form counts as sent, so that the focus can return to its button. What was asked is what is sent.
    if (await confirm(creditQuestion(user, form.values.units))) form.onSubmit(event);
  };
  return { ...form, onSubmit: (event) => void ask(event) };
}
