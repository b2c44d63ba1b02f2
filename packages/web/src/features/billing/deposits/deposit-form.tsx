import { Progress, TextInput } from "@mantine/core";
import { lagosDate } from "@ewebal/contract/rules";
import { formatNaira } from "../../../lib/texts/format.ts";
import { ApiError } from "../../../lib/api/api.ts";
import { PhoneField } from "../../../ui/forms/fields.tsx";
import { FileDrop } from "../../../ui/forms/file-drop.tsx";
import { Form } from "../../../ui/forms/form.tsx";
import { NativeSelect } from "../../../ui/forms/native-select.tsx";
import { Refusal } from "../../../ui/feedback/refusal.tsx";
import { SubmitButton } from "../../../ui/forms/submit-button.tsx";
import { Stack } from "../../../ui/layout/boxes.tsx";
import classes from "./deposit-panel.module.css";
import { cleanAmount } from "./deposit-rules.ts";
import { ReceiptPreview } from "./receipt-preview.tsx";
import { useDepositForm } from "./use-deposit-form.ts";

/** Phones offer the camera for images. */
const ACCEPTED_FILES = ".pdf,.jpg,.jpeg,.png,application/pdf,image/jpeg,image/png";

type DepositFormProps = {
  userId: string;
  /** The one bank that may be chosen. */
  bank: string;
};

/** What management needs to find the deposit in the account. */
export function DepositForm({ userId, bank }: DepositFormProps) {
  const { form, receipt, takeReceipt, sent } = useDepositForm(userId, bank);
  const { values, missing, refusal } = form;
  const isWhole = missing.length === 0;
  return (
    <Form form={form}>
      <TextInput label="Depositor's name" autoComplete="name" {...form.field("depositorName")} />
      <Stack gap={16} className={classes.pair}>
        <TextInput
          label="Amount deposited"
          inputMode="numeric"
          autoComplete="off"
          leftSection="₦"
          description={
            values.amountDeposited === "" ? "Whole naira, digits only" : formatNaira(Number(values.amountDeposited))
          }
          inputWrapperOrder={["label", "input", "description", "error"]}
          {...form.field("amountDeposited")}
          onChange={({ currentTarget }) => form.set("amountDeposited", cleanAmount(currentTarget.value))}
        />
        <PhoneField label="Phone number" {...form.field("phoneNo")} onValue={(digits) => form.set("phoneNo", digits)} />
        <TextInput
          label="Teller ID"
          description="On the slip, or the transfer's reference"
          inputWrapperOrder={["label", "input", "description", "error"]}
          autoComplete="off"
          {...form.field("tellerId")}
        />
        <TextInput
          label="Transaction date"
          type="date"
          max={lagosDate(new Date())}
          {...form.field("transactionDate")}
        />
      </Stack>
      <NativeSelect
        label="Bank paid to"
        name="bankDeposited"
        value={values.bankDeposited}
        onValue={(value) => form.set("bankDeposited", value)}
      >
        <option value={bank}>{bank}</option>
      </NativeSelect>
      <div>
        <p className={classes.label}>Receipt</p>
        <Stack gap={12}>
          {receipt !== undefined && <ReceiptPreview file={receipt} />}
          <FileDrop
            label={receipt === undefined ? "Choose or photograph the receipt" : "Choose another"}
            accept={ACCEPTED_FILES}
            hint=".pdf, .jpg or .png, up to 5 MB"
            error={form.field("image").error}
            isSmall={receipt !== undefined}
            onFile={takeReceipt}
          />
        </Stack>
      </div>
      {sent !== undefined && <Progress value={sent * 100} size="sm" aria-label="Sending the receipt" />}
      <Refusal
        screen="deposit"
        error={refusal}
        action={refusal instanceof ApiError ? <p>{refusal.message}</p> : undefined}
      />
      <SubmitButton missing={missing} isSending={form.isSending}>
        {isWhole ? "Submit Details" : "Fill in details"}
      </SubmitButton>
    </Form>
  );
}
