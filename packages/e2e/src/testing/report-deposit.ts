import assert from "node:assert/strict";
import type { Account, Product } from "./product.ts";

/** One white pixel: a receipt as the server takes it. */
export const whitePng = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mP8/x8AAwMCAO+ip1sAAAAASUVORK5CYII=",
  "base64",
);

/** A customer reports a bank deposit of 10,000 naira, through the interface for programs. */
export async function reportDeposit({ url }: Product, account: Account, tellerId: string): Promise<void> {
  const signedIn = await fetch(`${url}/api/sign-in-user`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(account),
  });
  const { data: token } = (await signedIn.json()) as { data: string };
  const { id } = JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString()) as { id: string };
  const form = new FormData();
  const fields = {
    depositorName: "Ada Obi",
    amountDeposited: "10000",
    phoneNo: "8012345678",
    tellerId,
    transactionDate: "2026-01-05",
    bankDeposited: "Ewebal Microfinance Bank",
  };
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  form.set("image", new File([whitePng], "receipt.png", { type: "image/png" }));
  const { status } = await fetch(`${url}/api/${id}/submit-transfer-details`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}` },
    body: form,
  });
  assert.equal(status, 201);
}
