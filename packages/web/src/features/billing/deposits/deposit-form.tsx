import { Progress, TextInput } from "@mantine/core";
import { lagosDate } from "@ewebal/contract/rules";
import { IconFileTypePdf, IconPhoto } from "@tabler/icons-react";
import { useEffect, useState } from "react";
import { formatNaira } from "../../../lib/texts/format.ts";
import { ApiError } from "../../../lib/api/api.ts";
import { PhoneField } from "../../../ui/forms/fields.tsx";
import { FileDrop } from "../../../ui/forms/file-drop.tsx";
import { Form } from "../../../ui/forms/form.tsx";
import { NativeSelect } from "../../../ui/forms/native-select.tsx";
import { Refusal } from "../../../ui/feedback/refusal.tsx";
import { SubmitButton } from "../../../ui/forms/submit-button.tsx";
import { Stack, Inline } from "../../../ui/layout/boxes.tsx";
import { useBrand } from "../../../lib/brand.ts";
import { useSession } from "../../../lib/session/session.ts";
import { DetailList } from "../../../ui/kit/detail-list.tsx";
import { Panel } from "../../../ui/layout/panel.tsx";
import classes from "./deposit-panel.module.css";
import { cleanAmount } from "./deposit-rules.ts";
import { useDepositForm } from "./use-deposit-form.ts";

/** Reports a bank transfer: the account to pay into, and the form that sends the details to management. */
export function DepositPanel() {
  const { userId } = useSession();
  const brand = useBrand();
  return (
    <Panel title="Pay Via Bank Deposit">
      <Stack gap={16}>
        <p className="muted">1. Pay into this account, by transfer or over the counter.</p>
        <DetailList
          rows={[
            { name: "Bank", value: brand?.bank.name },
            { name: "Account name", value: brand?.bank.accountName },
            { name: "Account number", value: brand?.bank.accountNumber, isCopied: true },
          ]}
        />
        <p className="muted">2. Send us the receipt. We check the deposit, add your units and e-mail you.</p>
        {userId !== null && brand !== undefined && <DepositForm userId={userId} bank={brand.bank.name} />}
      </Stack>
    </Panel>
  );
}

/** Phones offer the camera for images. */
const ACCEPTED_FILES = ".pdf,.jpg,.jpeg,.png,application/pdf,image/jpeg,image/png";

type DepositFormProps = {
  userId: string;
  /** The one bank that can be chosen. */
  bank: string;
};

/** The details by which management finds the deposit in the account. */
function DepositForm({ userId, bank }: DepositFormProps) {
  const { form, receipt, takeReceipt, sent } = useDepositForm(userId, bank);
  const { values, missing, refusal } = form;
  const isWhole = missing.length === 0;
  return (
    <Form form={form}>
      <Stack gap={16} align="top" className={classes.pair}>
        <TextInput
          label="Amount deposited"
          inputMode="numeric"
          autoComplete="off"
          leftSection="₦"
          description={values.amountDeposited === "" ? "Whole naira" : formatNaira(Number(values.amountDeposited))}
          inputWrapperOrder={["label", "input", "description", "error"]}
          {...form.field("amountDeposited")}
          onChange={({ currentTarget }) => form.set("amountDeposited", cleanAmount(currentTarget.value))}
        />
        <TextInput
          label="Teller ID"
          description="Or the transfer's reference"
          inputWrapperOrder={["label", "input", "description", "error"]}
          autoComplete="off"
          {...form.field("tellerId")}
        />
        <TextInput label="Depositor's name" autoComplete="name" {...form.field("depositorName")} />
        <PhoneField label="Phone number" {...form.field("phoneNo")} onValue={(digits) => form.set("phoneNo", digits)} />
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
            label={receipt === undefined ? "Choose the receipt" : "Choose another"}
            accept={ACCEPTED_FILES}
            hint=".pdf, .jpg or .png, up to 5 MB"
            error={form.field("image").error}
            isSmall
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
      <div data-least="owner">
        <SubmitButton missing={missing} isSending={form.isSending}>
          {isWhole ? "Submit Details" : "Fill in details"}
        </SubmitButton>
      </div>
    </Form>
  );
}

/**
 * The chosen file before it is sent. A PDF is only named: the page's security policy allows frames from the server
 * only.
 */
function ReceiptPreview({ file }: { file: File }) {
  const isPdf = /\.pdf$/i.test(file.name);
  const [address, setAddress] = useState<string>();
  useEffect(() => {
    if (isPdf) return undefined;
    const made = URL.createObjectURL(file);
    setAddress(made);
    return () => URL.revokeObjectURL(made);
  }, [file, isPdf]);
  const Icon = isPdf ? IconFileTypePdf : IconPhoto;
  return (
    <>
      {!isPdf && address !== undefined && (
        <img className={classes.preview} src={address} alt={`Preview of ${file.name}`} />
      )}
      <Inline as="p" gap={8} align="center" className="small anywhere">
        <Icon size={20} stroke={1.6} aria-hidden /> {file.name}, {formatBytes(file.size)}
      </Inline>
    </>
  );
}

function formatBytes(bytes: number): string {
  const megabytes = bytes / 1024 / 1024;
  return megabytes >= 1 ? `${megabytes.toFixed(1)} MB` : `${Math.max(1, Math.round(bytes / 1024))} kB`;
}
