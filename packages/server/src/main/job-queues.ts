import { postAlarmQueue, createAlarmQueue } from "../features/alarms/index.ts";
import { nightlyBackupQueue } from "../backup/nightly-backup.ts";
import { removeOldMonthsQueue } from "../backup/remove-old-months.ts";
import { cleanUpQueue, requestLogQueue } from "../features/accounts/index.ts";
import { auditCheckQueue, overviewQueue } from "../features/admin/index.ts";
import {
  autoTopUpQueue,
  chargeKeptCardQueue,
  checkPaymentsQueue,
  checkTransfersQueue,
  ledgerAuditQueue,
  ledgerCheckQueue,
  settlePaymentQueue,
  settleTransferQueue,
} from "../features/billing/index.ts";
import { cleanUpWrongRowsQueue } from "../features/contacts/index.ts";
import { lowBalanceQueue, weeklyMailQueue } from "../features/messages/index.ts";
import { cleanUpWebhooksQueue } from "../features/webhooks/index.ts";
import { cleanUpFilesQueue } from "../files/index.ts";
import { readAlarms } from "./read-alarms.ts";
import type { JobQueue } from "../jobs/job-queue.ts";
import { sendMailQueue } from "../mail/index.ts";
import { keepDaysQueue } from "../features/delivery/index.ts";
import {
  eraseClosedQueue,
  eraseNumberQueue,
  exportDataQueue,
  oldExportsQueue,
  stopClosedQueue,
} from "../features/privacy/index.ts";

/** Every kind of job. The migration step declares them, the worker does them. */
export const jobQueues: readonly JobQueue[] = [
  sendMailQueue,
  cleanUpQueue,
  cleanUpFilesQueue,
  cleanUpWrongRowsQueue,
  requestLogQueue,
  ledgerCheckQueue,
  ledgerAuditQueue,
  settlePaymentQueue,
  checkPaymentsQueue,
  autoTopUpQueue,
  chargeKeptCardQueue,
  settleTransferQueue,
  checkTransfersQueue,
  overviewQueue,
  auditCheckQueue,
  weeklyMailQueue,
  lowBalanceQueue,
  cleanUpWebhooksQueue,
  createAlarmQueue(readAlarms),
  postAlarmQueue,
  nightlyBackupQueue,
  removeOldMonthsQueue,
  keepDaysQueue,
  stopClosedQueue,
  eraseClosedQueue,
  eraseNumberQueue,
  exportDataQueue,
  oldExportsQueue,
];
