/**
 * Keeping the service, by hand: an administrator changes a price while a customer composes, adds a carrier that then carries,
 * and keeps the do-not-disturb list. Nobody reloads a page.
 */
import { commandStatus, SmppServer } from "@ewebal/smpp";
import { expect } from "vitest";
import { send, signIn } from "./testing/api-client.ts";
import { createBrowserTest } from "./testing/browser.ts";
import { expectSoundIn } from "./testing/looks.ts";
import { waitForText } from "./testing/page-checks.ts";
import { waitUntil } from "./testing/product.ts";
import { signInAdmin, signInCustomer } from "./testing/sign-in-by-hand.ts";

const test = createBrowserTest();

const notices = '[aria-label="Notices"]';
const withinMs = 2_000;

test("a price that is changed is in an open composer at once", async ({ visit, product }) => {
  const [{ page: customer }, { page: admin }] = [await visit(), await visit()];
  await signInCustomer(customer, product.demo.customer);
  await customer.goto("/user-dashboard/ewebal/send-sms");
  await waitForText(customer, "main", "× 3.00", 10_000);
  await signInAdmin(admin, product.demo.admin);
  await admin.goto("/admin-dashboard/rates?search=niger");
  await admin.getByRole("button", { name: "Edit the rate of Nigeria (+234)" }).click();
  await admin.getByLabel("Naira for one page").fill("3.25");
  await expectSoundIn(admin, "rate dialog");
  await admin.getByRole("button", { name: "Change rate" }).click();
  await admin.getByRole("button", { name: "Proceed" }).click();
  await waitForText(admin, notices, "The rate is changed", withinMs);
  await waitForText(customer, "main", "× 3.25", withinMs);
  await waitForText(admin, "main", "Standard: 3.00", withinMs);

  await admin.getByRole("button", { name: "Edit the rate of Niger (+227)" }).click();
  await admin.getByLabel("Naira for one page").fill("8");
  await admin.getByLabel("Starts").selectOption("At a set time");
  await admin.getByLabel("Date").fill(new Date(Date.now() + 30 * 86_400_000).toISOString().slice(0, 10));
  await admin.getByRole("button", { name: "Plan rate" }).click();
  await admin.getByRole("button", { name: "Proceed" }).click();
  await waitForText(admin, notices, "The rate is planned", withinMs);
  await waitForText(admin, "main", "Planned", withinMs);
  await expectSoundIn(admin, "rates");
});

test("numbers are put on the do-not-disturb list and taken off", async ({ visit, product }) => {
  const { page: admin } = await visit();
  await signInAdmin(admin, product.demo.admin);
  await admin.goto("/admin-dashboard/dnd-numbers");
  await admin.getByLabel("Numbers", { exact: true }).fill("0803 000 0011, 2348030000012\n+44 7911 123456");
  await admin.getByRole("button", { name: "Add to the list" }).click();
  await waitForText(admin, notices, "3 added to the list", withinMs);
  await waitForText(admin, "main", "+447911123456", withinMs);
  await expectSoundIn(admin, "dnd list");
  await admin.getByRole("button", { name: "Remove +447911123456" }).click();
  await admin.getByRole("button", { name: "Proceed" }).click();
  await waitForText(admin, notices, "1 taken off the list", withinMs);
});

test("a carrier that is added carries; its loss and its end are seen at once", async ({ visit, product }) => {
  const taken: string[] = [];
  const peer = new SmppServer<string>(
    { host: "127.0.0.1", port: 0, systemId: "ACME", deliverWindow: 10 },
    {
      onBind: ({ password }) => (password === "right" ? commandStatus.ESME_ROK : commandStatus.ESME_RINVPASWD),
      onBound: () => undefined,
      onSubmit: (_session, submit) => {
        taken.push(submit.destination.address);
        submit.accept(String(taken.length));
      },
      onDelivered: () => undefined,
      onReady: () => undefined,
      onClosed: () => undefined,
    },
  );
  const port = await peer.listen();
  const { page: admin } = await visit();
  await signInAdmin(admin, product.demo.admin);
  await admin.goto("/admin-dashboard/carriers");
  await waitForText(admin, "main", "Used until you add a carrier", 10_000);
  await expectSoundIn(admin, "carriers with the simulator");

  await admin.getByRole("button", { name: "Add carrier" }).click();
  const dialog = admin.getByRole("dialog");
  await dialog.getByLabel("Name", { exact: true }).fill("Acme Telecom");
  await dialog.getByLabel("Host").fill("127.0.0.1");
  await dialog.getByLabel("Port").fill(String(port));
  await dialog.getByLabel("System id").fill("acme");
  await dialog.getByLabel("Password", { exact: true }).fill("wrong");
  await dialog.getByRole("button", { name: "Test connection" }).click();
  await dialog.getByText("The password is wrong").waitFor();
  await dialog.getByLabel("Password", { exact: true }).fill("right");
  await dialog.getByRole("button", { name: "Test connection" }).click();
  await dialog.getByText("The carrier took the bind. It calls itself ACME.").waitFor();
  await expectSoundIn(admin, "carrier dialog");
  await dialog.getByRole("button", { name: "Add carrier" }).click();
  await waitForText(admin, notices, "The carrier is added", withinMs);
  // Its own card: the simulator's says the same until the workers have let go of it.
  await admin.getByRole("article", { name: "Acme Telecom" }).getByText("1 of 1").waitFor();

  const customer = await signIn(product, product.demo.customer);
  await send(customer, {
    senderName: "DemoShop",
    message: "By the new carrier",
    phoneNo: "2348030000021,2348030000022",
    code: "234",
  });
  await waitUntil(() => taken.length === 2, "the carrier to get both");
  await waitForText(admin, "main", "100% of 2", 10_000);
  await expectSoundIn(admin, "carriers");

  await peer.close({ isPolite: false });
  await waitForText(admin, "main", "Connection lost", 10_000);
  await expectSoundIn(admin, "carriers lost");
  await admin.getByRole("button", { name: "Switch Acme Telecom off" }).click();
  await admin.getByRole("button", { name: "Proceed" }).waitFor();
  await expectSoundIn(admin, "carrier switch off");
  await admin.getByRole("button", { name: "Proceed" }).click();
  await waitForText(admin, notices, "The carrier is off", withinMs);
  await admin.getByRole("button", { name: "Remove Acme Telecom" }).click();
  await admin.getByRole("button", { name: "Proceed" }).click();
  await waitForText(admin, "main", "Used until you add a carrier", withinMs);
  expect(taken).toEqual(["2348030000021", "2348030000022"]);
});
