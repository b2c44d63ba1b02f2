import { depositCalls } from "@ewebal/contract/calls";
import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { ApiError } from "../../../lib/api/api.ts";
import { explainError } from "../../../lib/texts/catalogue-texts.ts";
import { paths } from "../../../lib/paths.ts";
import { IdempotencyKey } from "../../../lib/api/idempotency-key.ts";
import { upload } from "../../../lib/api/upload.ts";
import { useForm, type FormState } from "../../../ui/forms/form.tsx";
import { showNotice } from "../../../ui/feedback/notices.tsx";
import {
  DEPOSIT_FIELDS,
  emptyDeposit,
  findMissingForDeposit,
  findReceiptFault,
  type DepositValues,
} from "./deposit-rules.ts";

export type DepositForm = {
  form: FormState<DepositValues>;
  receipt: File | undefined;
  takeReceipt: (file: File) => void;
  /** How much of the receipt has been sent, 0 to 1; undefined when nothing is being sent. */
  sent: number | undefined;
};

/** The form of a bank deposit: checks the receipt when it is chosen, sends it once, and opens the transactions. */
export function useDepositForm(userId: string, bank: string): DepositForm {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const [receipt, setReceipt] = useState<File>();
  const [sent, setSent] = useState<number>();
  const [key] = useState(() => new IdempotencyKey());

  const send = async ({ image: _, ...fields }: DepositValues): Promise<void> => {
    if (receipt === undefined) return;
    const body = new FormData();
    for (const [name, value] of Object.entries(fields)) body.set(name, value);
    body.set("image", receipt);
    const contents = [fields, receipt.name, receipt.size, receipt.lastModified];
    try {
      const { message } = await upload(depositCalls.submitTransferDetails, {
        params: { userId },
        form: body,
        headers: { "idempotency-key": key.keyFor(contents) },
        onProgress: setSent,
      });
      showNotice({ title: message });
    } catch (error) {
      // Each wrong field has its own error; the notice gives the whole reason once.
      if (error instanceof ApiError && Object.keys(error.fields).length > 0) showNotice(explainError("deposit", error));
      throw error;
    } finally {
      setSent(undefined);
    }
    // The next page may take a moment to load; until then a person must not find this deposit ready to be sent again.
    for (const name of DEPOSIT_FIELDS) form.set(name, initial[name]);
    setReceipt(undefined);
    await queryClient.invalidateQueries({ queryKey: ["transfers"] });
    await navigate({ to: paths.transactions });
  };

  const initial = { ...emptyDeposit, bankDeposited: bank };
  const form = useForm({
    initial,
    missing: findMissingForDeposit,
    schema: async () => (await import("@ewebal/contract/schemas/deposits")).depositFieldsSchema,
    send,
  });

  const takeReceipt = (file: File): void => {
    const fault = findReceiptFault(file);
    setReceipt(fault === undefined ? file : undefined);
    form.set("image", fault === undefined ? file.name : "");
    if (fault !== undefined) form.setError("image", fault);
  };
  return { form, receipt, takeReceipt, sent };
}
