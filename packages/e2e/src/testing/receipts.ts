import type { Browser } from "playwright-core";

export type ReceiptFile = { name: string; mimeType: string; buffer: Buffer };

/** A bank slip as people have it: a photo, and the PDF that a bank's app makes. Drawn by the browser itself. */
export async function drawReceipts(browser: Browser): Promise<{ image: ReceiptFile; pdf: ReceiptFile }> {
  const page = await browser.newPage({ viewport: { width: 480, height: 640 } });
  await page.setContent(`<body style="margin:0;padding:32px;font:16px/1.6 sans-serif;background:#fdfbf3">
    <h1 style="font-size:22px">Example Bank</h1><p>Transfer successful</p>
    <p style="font-size:32px;font-weight:700">NGN 10,000.00</p>
    <p>To: Ewebal Microfinance Bank<br>From: Ada Obi<br>Reference: TRF-0001<br>5 March 2026, 10:42</p></body>`);
  const image = { name: "slip.png", mimeType: "image/png", buffer: await page.screenshot() };
  const pdf = { name: "slip.pdf", mimeType: "application/pdf", buffer: await page.pdf({ format: "A5" }) };
  await page.close();
  return { image, pdf };
}
