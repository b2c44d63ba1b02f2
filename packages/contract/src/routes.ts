/** Every call as the server registers it: method and address from `calls/`, with the schemas from `schemas/`. */
import { twoFactorCalls, sessionCalls, apiKeyCalls } from "./calls/access.ts";
import { accountCalls } from "./calls/accounts.ts";
import { passkeyCalls, passkeySignInCalls } from "./calls/passkeys.ts";
import { subAccountCalls, teamCalls } from "./calls/teams.ts";
import { siteCalls, helpCalls, eventCalls, simulatorCalls } from "./calls/site.ts";
import {
  messageCalls,
  draftCalls,
  templateCalls,
  scheduledCalls,
  whitelistCalls,
  inboxCalls,
  optOutCalls,
  resultCalls,
  codeResultCalls,
} from "./calls/messages.ts";
import { contactCalls } from "./calls/contacts.ts";
import { privacyCalls } from "./calls/privacy.ts";
import { priceCalls } from "./calls/prices.ts";
import { paymentCalls, billingCalls, depositCalls, invoiceCalls } from "./calls/billing.ts";
import { fundingCalls } from "./calls/funding.ts";
import {
  programCalls,
  programListCalls,
  programWebhookCalls,
  webhookCalls,
  getFormCalls,
  verificationCalls,
} from "./calls/programs.ts";
import {
  adminCalls,
  adminAccountCalls,
  administratorsCalls,
  approvalCalls,
  overviewCalls,
  adminUserCalls,
  adminMessageCalls,
  announcementCalls,
} from "./calls/admin.ts";
import {
  rateCalls,
  carrierCostCalls,
  marginCalls,
  carrierCalls,
  dailyLimitCalls,
  heldMessageCalls,
  dndCalls,
  inboundCalls,
  alarmCalls,
  quietHoursCalls,
  contentRuleCalls,
} from "./calls/service.ts";
import type { Call, Calls } from "./calls/call.ts";
import type { CallSchema, CallSchemas } from "./schemas/http.ts";
import { accountSchemas } from "./schemas/accounts.ts";
import { twoFactorSchemas } from "./schemas/people/two-factor.ts";
import { passkeySchemas, passkeySignInSchemas } from "./schemas/people/passkeys.ts";
import { sessionSchemas } from "./schemas/people/sessions.ts";
import { apiKeySchemas } from "./schemas/api-keys.ts";
import { subAccountSchemas } from "./schemas/people/sub-accounts.ts";
import { privacySchemas } from "./schemas/people/privacy.ts";
import { teamSchemas } from "./schemas/people/teams.ts";
import { siteSchemas } from "./schemas/brand.ts";
import { helpSchemas } from "./schemas/help.ts";
import { eventSchemas } from "./schemas/events.ts";
import { simulatorSchemas } from "./schemas/simulator.ts";
import { templateSchemas } from "./schemas/templates.ts";
import { draftSchemas } from "./schemas/drafts.ts";
import { messageSchemas } from "./schemas/messages.ts";
import { scheduledSchemas } from "./schemas/scheduled.ts";
import { whitelistSchemas } from "./schemas/whitelists.ts";
import { contactSchemas } from "./schemas/contacts.ts";
import { optOutSchemas } from "./schemas/opt-outs.ts";
import { resultSchemas } from "./schemas/results.ts";
import { paymentSchemas, billingSchemas } from "./schemas/billing.ts";
import { fundingSchemas } from "./schemas/funding.ts";
import { invoiceSchemas } from "./schemas/invoices.ts";
import { depositSchemas } from "./schemas/deposits.ts";
import { programSchemas, getFormSchemas } from "./schemas/program-api.ts";
import { programListSchemas } from "./schemas/program-lists.ts";
import { codeResultSchemas, verificationSchemas } from "./schemas/verifications.ts";
import { programWebhookSchemas, webhookSchemas } from "./schemas/webhooks.ts";
import { adminSchemas } from "./schemas/admin/admin.ts";
import { adminAccountSchemas } from "./schemas/admin/admin-account.ts";
import { administratorsSchemas } from "./schemas/admin/administrators.ts";
import { approvalSchemas } from "./schemas/admin/approvals.ts";
import { overviewSchemas } from "./schemas/admin/overview.ts";
import { adminUserSchemas } from "./schemas/admin/admin-users.ts";
import { inboundSchemas, inboxSchemas } from "./schemas/inbox.ts";
import { adminMessageSchemas } from "./schemas/admin/admin-messages.ts";
import { announcementSchemas } from "./schemas/admin/announcements.ts";
import { rateSchemas } from "./schemas/admin/rate-edits.ts";
import { priceSchemas } from "./schemas/admin/customer-prices.ts";
import { carrierCostSchemas, marginSchemas } from "./schemas/admin/margin.ts";
import { carrierSchemas } from "./schemas/admin/carriers.ts";
import { dailyLimitSchemas } from "./schemas/admin/daily-limits.ts";
import { contentRuleSchemas } from "./schemas/admin/content-rules.ts";
import { alarmSchemas } from "./schemas/admin/alarms.ts";
import { quietHoursSchemas } from "./schemas/admin/quiet-hours.ts";
import { heldMessageSchemas } from "./schemas/admin/held-messages.ts";
import { dndSchemas } from "./schemas/admin/dnd.ts";
/** A call with its schemas, as Fastify's `app.route` takes it, less the handler. */
export type RouteContract<S extends CallSchema = CallSchema> = Pick<Call, "method" | "url"> & { readonly schema: S };

function attachSchemas<const S extends CallSchemas>(
  calls: Calls<S>,
  schemas: S,
): { readonly [name in keyof S]: RouteContract<S[name]> } {
  const routes = Object.entries<CallSchema>(schemas).map(([name, schema]) => {
    const { method, url } = (calls as Calls<CallSchemas>)[name] as Call;
    return [name, { method, url, schema }];
  });
  return Object.fromEntries(routes) as { readonly [name in keyof S]: RouteContract<S[name]> };
}

export const accountRoutes = attachSchemas(accountCalls, accountSchemas);
export const twoFactorRoutes = attachSchemas(twoFactorCalls, twoFactorSchemas);
export const passkeyRoutes = attachSchemas(passkeyCalls, passkeySchemas);
export const passkeySignInRoutes = attachSchemas(passkeySignInCalls, passkeySignInSchemas);
export const sessionRoutes = attachSchemas(sessionCalls, sessionSchemas);
export const apiKeyRoutes = attachSchemas(apiKeyCalls, apiKeySchemas);
export const teamRoutes = attachSchemas(teamCalls, teamSchemas);
export const subAccountRoutes = attachSchemas(subAccountCalls, subAccountSchemas);
export const privacyRoutes = attachSchemas(privacyCalls, privacySchemas);
export const siteRoutes = attachSchemas(siteCalls, siteSchemas);
export const helpRoutes = attachSchemas(helpCalls, helpSchemas);
export const eventRoutes = attachSchemas(eventCalls, eventSchemas);
export const simulatorRoutes = attachSchemas(simulatorCalls, simulatorSchemas);
export const messageRoutes = attachSchemas(messageCalls, messageSchemas);
export const draftRoutes = attachSchemas(draftCalls, draftSchemas);
export const templateRoutes = attachSchemas(templateCalls, templateSchemas);
export const scheduledRoutes = attachSchemas(scheduledCalls, scheduledSchemas);
export const whitelistRoutes = attachSchemas(whitelistCalls, whitelistSchemas);
export const contactRoutes = attachSchemas(contactCalls, contactSchemas);
export const paymentRoutes = attachSchemas(paymentCalls, paymentSchemas);
export const billingRoutes = attachSchemas(billingCalls, billingSchemas);
export const fundingRoutes = attachSchemas(fundingCalls, fundingSchemas);
export const invoiceRoutes = attachSchemas(invoiceCalls, invoiceSchemas);
export const depositRoutes = attachSchemas(depositCalls, depositSchemas);
export const programRoutes = attachSchemas(programCalls, programSchemas);
export const programListRoutes = attachSchemas(programListCalls, programListSchemas);
export const webhookRoutes = attachSchemas(webhookCalls, webhookSchemas);
export const programWebhookRoutes = attachSchemas(programWebhookCalls, programWebhookSchemas);
export const getFormRoutes = attachSchemas(getFormCalls, getFormSchemas);
export const adminRoutes = attachSchemas(adminCalls, adminSchemas);
export const adminAccountRoutes = attachSchemas(adminAccountCalls, adminAccountSchemas);
export const administratorsRoutes = attachSchemas(administratorsCalls, administratorsSchemas);
export const approvalRoutes = attachSchemas(approvalCalls, approvalSchemas);
export const overviewRoutes = attachSchemas(overviewCalls, overviewSchemas);
export const adminUserRoutes = attachSchemas(adminUserCalls, adminUserSchemas);
export const adminMessageRoutes = attachSchemas(adminMessageCalls, adminMessageSchemas);
export const announcementRoutes = attachSchemas(announcementCalls, announcementSchemas);
export const rateRoutes = attachSchemas(rateCalls, rateSchemas);
export const priceRoutes = attachSchemas(priceCalls, priceSchemas);
export const carrierCostRoutes = attachSchemas(carrierCostCalls, carrierCostSchemas);
export const marginRoutes = attachSchemas(marginCalls, marginSchemas);
export const carrierRoutes = attachSchemas(carrierCalls, carrierSchemas);
export const dailyLimitRoutes = attachSchemas(dailyLimitCalls, dailyLimitSchemas);
export const alarmRoutes = attachSchemas(alarmCalls, alarmSchemas);
export const quietHoursRoutes = attachSchemas(quietHoursCalls, quietHoursSchemas);
export const contentRuleRoutes = attachSchemas(contentRuleCalls, contentRuleSchemas);
export const heldMessageRoutes = attachSchemas(heldMessageCalls, heldMessageSchemas);
export const dndRoutes = attachSchemas(dndCalls, dndSchemas);
export const inboundRoutes = attachSchemas(inboundCalls, inboundSchemas);
export const optOutRoutes = attachSchemas(optOutCalls, optOutSchemas);
export const resultRoutes = attachSchemas(resultCalls, resultSchemas);
export const codeResultRoutes = attachSchemas(codeResultCalls, codeResultSchemas);
export const verificationRoutes = attachSchemas(verificationCalls, verificationSchemas);
export const inboxRoutes = attachSchemas(inboxCalls, inboxSchemas);
