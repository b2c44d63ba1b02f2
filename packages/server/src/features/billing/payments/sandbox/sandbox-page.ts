import { formatNaira } from "@ewebal/contract";
import type { Config } from "../../../../base/config.ts";
import type { SandboxAccount, SandboxTransaction } from "./sandbox-store.ts";

/** The sandbox's checkout page: complete without any script, so that the strictest policy lets it through. */
export function sandboxPage({ brand }: Pick<Config, "brand">, transaction: SandboxTransaction): string {
  const { email, amountKobo, reference, status } = transaction;
  return wholePage({
    title: `Card sandbox - ${brand.name}`,
    notice: "No card is asked for and no money moves.",
    section: `<h1>Pay ${escapeHtml(brand.name)}</h1>
<p class="amount">NGN ${formatNaira(amountKobo)}</p>
<dl>
<div><dt>Payer</dt><dd>${escapeHtml(email)}</dd></div>
<div><dt>Reference</dt><dd>${escapeHtml(reference)}</dd></div>
</dl>
${status === "success" ? PAID_PART : choices(status === "failed")}`,
  });
}

/** Plays somebody's bank: a transfer to a customer's account number. */
export function transferPage({ brand }: Pick<Config, "brand">, { accountNumber, email }: SandboxAccount): string {
  return wholePage({
    title: `Bank sandbox - ${brand.name}`,
    notice: "No bank is asked and no money moves.",
    section: `<h1>Transfer to account</h1>
<p class="amount">${escapeHtml(accountNumber)}</p>
<dl>
<div><dt>Bank</dt><dd>Sandbox Bank</dd></div>
<div><dt>Customer</dt><dd>${escapeHtml(email)}</dd></div>
<div><dt>Fee</dt><dd>1 %, NGN 300 at most</dd></div>
</dl>
<form method="post">
<label for="amount">Amount (NGN)</label>
<input id="amount" name="amount" type="number" inputmode="decimal" min="1" max="10000000" step="0.01" required>
<button class="pay">Send transfer</button>
</form>`,
  });
}

function wholePage({ title, notice, section }: { title: string; notice: string; section: string }): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${escapeHtml(title)}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<section>
<p class="mark"><strong>Sandbox</strong> ${notice}</p>
${section}
</section>
<p class="note">Once PAYSTACK_SECRET_KEY is set, the card provider takes the place of this page.</p>
</main>
</body>
</html>
`;
}

const PAID_PART = `<p class="said" role="status">This payment is complete. A payment is made once.</p>
<form method="post"><button name="choice" value="leave" class="plain">Go back</button></form>`;

function choices(isDeclined: boolean): string {
  return `${isDeclined ? `<p class="said" role="status">The card was declined. It can be tried again.</p>` : ""}
<form method="post">
<button name="choice" value="pay" class="pay">Pay now</button>
<button name="choice" value="pay-once">Pay now with a card that auto top-up can't charge</button>
<button name="choice" value="decline">Let the card be declined</button>
<button name="choice" value="leave" class="plain">Leave without paying</button>
</form>`;
}

function escapeHtml(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
    .replaceAll("'", "&#39;");
}

const STYLE = `
:root { color-scheme: light dark; --page: #F5F7FB; --surface: #FFFFFF; --text: #141D2B; --muted: #566275; --fill: #14377A; --line: #7C899C; --soft: #DDE3ED; --warn: #87480A; --warn-soft: #FDF1DE; --link: #1F4A97 }
@media (prefers-color-scheme: dark) {
  :root { --page: #0C1320; --surface: #141D2E; --text: #E6EBF4; --muted: #A5B1C6; --fill: #3B6BC4; --line: #66758F; --soft: #2A3650; --warn: #F0B860; --warn-soft: #33270F; --link: #9DBBF0 }
}
* { box-sizing: border-box }
body { margin: 0; padding: 40px 16px; background: var(--page); color: var(--text); font: 16px/1.5 Inter, system-ui, -apple-system, "Segoe UI", Roboto, sans-serif }
main { max-width: 440px; margin: 0 auto }
section { padding: 24px; background: var(--surface); border: 1px solid var(--soft); border-radius: 12px }
.mark { margin: 0 0 20px; padding: 8px 12px; border-radius: 8px; background: var(--warn-soft); color: var(--warn); font-size: 14px }
h1 { margin: 0; font-size: 16px; font-weight: 400; color: var(--muted) }
.amount { margin: 0 0 16px; font-size: 32px; font-weight: 700; font-variant-numeric: tabular-nums }
dl { margin: 0 0 20px; font-size: 14px }
dl div { display: flex; flex-wrap: wrap; justify-content: space-between; gap: 0 16px; padding: 8px 0; border-top: 1px solid var(--soft) }
dt { color: var(--muted) }
dd { margin: 0; overflow-wrap: anywhere }
.said { margin: 0 0 16px; font-size: 14px; font-weight: 600 }
form { display: grid; gap: 8px }
button { min-height: 44px; padding: 8px 16px; border: 1px solid var(--line); border-radius: 8px; background: var(--surface); color: var(--text); font: inherit; font-weight: 600; cursor: pointer }
label { font-size: 14px; font-weight: 600 }
input { min-height: 44px; padding: 0 12px; border: 1px solid var(--line); border-radius: 8px; background: var(--surface); color: var(--text); font: inherit }
.pay { border-color: var(--fill); background: var(--fill); color: #FFFFFF }
.plain { border-color: transparent; color: var(--link) }
button:focus-visible, input:focus-visible { outline: 2px solid var(--link); outline-offset: 2px }
.note { margin: 16px 0 0; color: var(--muted); font-size: 14px; text-align: center }
`;
