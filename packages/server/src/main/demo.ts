/** The demo: a customer and an administrator who can begin at once, so that a newcomer sees the product work. */
import { randomBytes, randomUUID } from "node:crypto";
import { MILLI_PER_UNIT } from "@ewebal/contract";
import { withTransaction } from "../db/transaction.ts";
import type { Deps } from "../base/deps.ts";
import { addVerifiedUser, findCredentialsByEmail } from "../features/accounts/index.ts";
import { addVerifiedAdmin, administrators } from "../features/admin/index.ts";
import { addDemoCatalog } from "../features/contacts/index.ts";
import { giveSenderNames } from "../features/messages/index.ts";
import { topUpUnits } from "../ledger/index.ts";

const DEMO_UNITS = 100_000;
const DEMO_NAME = "Demo";
const DEMO_SENDER_NAME = "DemoShop";
// The login form takes gmail addresses only, as specified; nothing is ever mailed to this one without SMTP_URL.
const DEMO_CUSTOMER_EMAIL = "demo.customer@gmail.com";

function adminEmailOf({ config }: Pick<Deps, "config">): string {
  return `demo@${config.adminEmailHost}`;
}

/**
 * Warns of demo accounts when a trial's database becomes the real one: old logs contain their passwords.
 *
 * @returns lines about demo accounts that are left.
 */
export async function findDemoLeft(deps: Pick<Deps, "config" | "db">): Promise<string[]> {
  const customer = await findCredentialsByEmail(deps.db, DEMO_CUSTOMER_EMAIL);
  const admin = await administrators.findByEmail(deps.db, adminEmailOf(deps));
  const left = [
    ...(customer?.userName === DEMO_NAME && !customer.isBlocked ? [DEMO_CUSTOMER_EMAIL] : []),
    ...(admin === undefined ? [] : [adminEmailOf(deps)]),
  ];
  if (left.length === 0) return [];
  return [
    `This database holds demo accounts of a trial: ${left.join(", ")}. Their passwords were printed: block the customer and remove the administrator, or begin with an empty database.`,
  ];
}

/**
 * Makes the demo accounts, unless they are there already.
 * @returns lines with their passwords, which are printed once and stored nowhere.
 */
export async function makeDemo(deps: Deps): Promise<string[]> {
  const adminEmail = adminEmailOf(deps);
  const [customerPassword, adminPassword] = [
    randomBytes(9).toString("base64url"),
    randomBytes(9).toString("base64url"),
  ];
  const made = await withTransaction(deps.db, async (tx) => {
    const admin = await addVerifiedAdmin(deps, tx, {
      adminName: DEMO_NAME,
      adminFullName: "Demo Administrator",
      email: adminEmail,
      contact: "8030000000",
      password: adminPassword,
    });
    const user = await addVerifiedUser(deps, tx, {
      userName: DEMO_NAME,
      fullName: "Demo Customer",
      email: DEMO_CUSTOMER_EMAIL,
      phoneNo: "8030000000",
      password: customerPassword,
    });
    if (admin === undefined || user === undefined) return undefined;
    await topUpUnits(tx, {
      userId: user.userId,
      amountMilli: DEMO_UNITS * MILLI_PER_UNIT,
      source: "manual",
      reference: `demo:${randomUUID()}`,
      note: "Demo",
    });
    await addDemoCatalog(deps, tx, user.userId);
    return admin;
  });
  if (made === undefined) return [];
  await giveSenderNames(deps, {
    adminId: made.adminId,
    email: DEMO_CUSTOMER_EMAIL,
    senderName: DEMO_SENDER_NAME,
    clientAddress: "127.0.0.1",
  });
  return [
    `Demo customer: ${DEMO_CUSTOMER_EMAIL} / ${customerPassword} (sign in at /login)`,
    `Demo administrator: ${adminEmail} / ${adminPassword} (sign in at /admin-login-page)`,
    "These passwords are shown this once.",
  ];
}
