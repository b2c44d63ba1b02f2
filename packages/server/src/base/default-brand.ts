import type { Brand } from "@ewebal/contract";

/**
 * What the product calls itself until the `BRAND` variable says otherwise. Phones, chat and account number are
 * placeholders that nobody owns: a company sets its own before it opens.
 */
export const defaultBrand: Brand = {
  name: "Ewebal",
  suffix: "sms",
  address: "Lagos, Nigeria",
  phones: ["+234 800 000 0001", "+234 800 000 0002"],
  emails: ["support@ewebal.com", "info@ewebal.com"],
  chat: "2348000000001",
  bank: { name: "Ewebal Microfinance Bank", accountName: "Ewebal", accountNumber: "0000000000" },
};
