import type { PaymentAnswer } from "@ewebal/contract";
import { paymentCalls } from "@ewebal/contract/calls";
import { Button } from "@mantine/core";
import { IconFileDownload } from "@tabler/icons-react";
import { fillAddress } from "../../../lib/api/api.ts";

type ReceiptLinkProps = {
  userId: string;
  payment: Pick<PaymentAnswer, "reference">;
  /** Stands among buttons. */
  isButton?: boolean;
};

/** The way to a payment's receipt, a PDF. */
export function ReceiptLink({ userId, payment: { reference }, isButton = false }: ReceiptLinkProps) {
  return (
    <Button
      component="a"
      size={isButton ? "xs" : "compact-sm"}
      variant={isButton ? "filled" : "subtle"}
      leftSection={<IconFileDownload size={16} stroke={1.8} aria-hidden />}
      href={fillAddress(paymentCalls.paymentReceipt.url, { userId, reference })}
      download={`receipt-${reference}.pdf`}
      aria-label={isButton ? undefined : `Receipt of ${reference}`}
    >
      Receipt
    </Button>
  );
}
