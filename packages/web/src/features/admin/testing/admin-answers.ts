import type {
  OverviewAnswer,
  OverviewCharts,
  UserAnswer,
  WaitingAnswer,
  WhitelistRequestAnswer,
} from "@ewebal/contract";
import { startAdminSession } from "../../../lib/session/session.ts";
import { fakeServer, userAnswer, type FakeAnswer, type FakeRequest } from "../../../testing/fake-server.ts";

export const adminId = "01900000-0000-7000-8000-00000000000a";

export const adminAnswer = {
  message: "Administrator",
  data: {
    _id: adminId,
    adminName: "ops",
    adminFullName: "Ops Example",
    email: "ops@ewebal.com",
    contact: "8000000002",
    role: "admin",
    createdAt: "2026-01-01T10:00:00.000Z",
    updatedAt: "2026-01-01T10:00:00.000Z",
  },
};

export const ada: UserAnswer = userAnswer.data;
export const bola: UserAnswer = {
  ...ada,
  _id: "01900000-0000-7000-8000-000000000002",
  userName: "bola",
  fullName: "Bola Example",
  email: "bola@gmail.com",
  units: 0.1,
};

/** A request that waits. */
export function requestOf(fields: Partial<WhitelistRequestAnswer>): WhitelistRequestAnswer {
  return {
    _id: "01900000-0000-7000-8000-0000000000f1",
    userID: ada._id,
    email: ada.email,
    senderName: "AdaStores",
    state: "pending",
    flagged: false,
    warnings: [],
    createdAt: new Date(Date.now() - 5 * 60_000).toISOString(),
    ...fields,
  };
}

export function waitingOf(fields: Partial<WaitingAnswer> = {}): WaitingAnswer {
  return {
    _id: "01900000-0000-7000-8000-0000000000e1",
    kind: "deposit",
    what: "Bank deposit of 12,000.00 naira",
    by: "ada, ada@gmail.com",
    flagged: false,
    mayDecide: true,
    createdAt: new Date(Date.now() - 5 * 60_000).toISOString(),
    ...fields,
  };
}

export function refusal(status: number, code: string, message: string, fields?: Record<string, string>): FakeAnswer {
  return { status, body: { message, code, fields } };
}

export const overview: OverviewAnswer = {
  registeredUsers: 1_204,
  units: 98_765.5,
  transactions: 31,
  successfulSms: 45_678,
  draftedSms: 17,
  activeUsers: 9,
  contactLists: 230,
  reviews: 0,
  deferred: { messages: 0, recipients: 0 },
  waiting: {
    deposits: 2,
    requests: 1,
    approvals: 0,
    disputes: 0,
    held: 0,
    reviews: 0,
    alarms: 0,
    oldestAt: "2026-11-20T09:00:00.000Z",
  },
};

export const emptyCharts: OverviewCharts = { days: [], networks: [], topCustomers: [], asOf: null };

/** A server that knows the signed-in administrator; without other answers it has no customers and no requests. */
export function signedInServer(handlers: Parameters<typeof fakeServer>[0] = {}): FakeRequest[] {
  startAdminSession(adminId);
  return fakeServer({
    [`GET /api/${adminId}/view-one-admin`]: { body: adminAnswer },
    [`GET /api/${ada._id}/daily-limits`]: {
      body: {
        message: "Daily limits",
        data: { recipientsMax: 10_000_000, limits: [], callsPerSecond: 100, maySendTransactional: false },
      },
    },
    [`GET /api/${ada._id}/view-customer-prices`]: {
      body: { message: "Prices", data: { prices: [], discountPercent: 0, unitsPerMonth: 0 } },
    },
    "GET /api/view-tiers": { body: { message: "Tiers", data: [] } },
    "GET /api/view-whitelist-requests": { body: { data: [], next: null } },
    "GET /api/view-all-users": { body: { data: [], next: null } },
    "GET /api/view-waiting": { body: { data: [], next: null } },
    "GET /api/view-sending": {
      body: { message: "Sending", data: { waitingRecipients: 0, waitingSince: null, workers: [], carriers: [] } },
    },
    "GET /api/view-waiting-counts": {
      body: {
        message: "Waiting",
        data: { deposits: 0, requests: 0, approvals: 0, disputes: 0, held: 0, reviews: 0, alarms: 0 },
      },
    },
    "GET /api/view-overview": { body: { message: "Overview", data: overview } },
    "GET /api/view-overview-charts": { body: { message: "Overview", data: emptyCharts } },
    ...handlers,
  });
}
