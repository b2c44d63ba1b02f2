import { vi } from "vitest";

export type FakeAnswer = {
  status?: number;
  body: unknown;
  /** In place of the body: a file's text. */
  text?: string;
};

export type FakeRequest = {
  /** `POST /api/sign-in-user` */
  call: string;
  /** What stands behind the question mark. */
  query: string;
  body: unknown;
  headers: Headers;
};

/** To a `dryRun` of two recipients. */
export const triedAnswer: FakeAnswer = {
  body: {
    message: "Nothing was sent",
    unitDetails: {
      received: 2,
      recipients: 2,
      duplicates: 0,
      dnd: 0,
      pages: 1,
      rate: 3,
      charged: 6,
      available: 1228.5,
    },
  },
};

type Handler = FakeAnswer | "offline" | ((request: FakeRequest) => FakeAnswer | Promise<FakeAnswer>);

export const userId = "01900000-0000-7000-8000-000000000001";

/** The settings of a product that follows the specification's e-mail rules. */
export const brandAnswer = {
  message: "The brand",
  data: {
    name: "Ewebal",
    suffix: "sms",
    publicUrl: "https://sms.example",
    address: "1 Example Road, Lagos",
    phones: ["+234 800 000 0001", "+234 800 000 0002"],
    emails: ["support@example.com", "help@example.com"],
    chat: "2348000000001",
    bank: { name: "Example Microfinance Bank", accountName: "Ewebal", accountNumber: "0000000001" },
    emailRules: "specified",
    pageRule: "flat160",
    adminEmailHost: "ewebal.com",
    isSimulated: false,
    isCardSandbox: false,
    hasCards: true,
    isMailKept: false,
  },
};

/** A customer with units, an approved sender name and a history. */
export const userAnswer = {
  message: "The customer",
  data: {
    _id: userId,
    userName: "ada",
    fullName: "Ada Example",
    email: "ada@gmail.com",
    phoneNo: "8000000001",
    units: 1234.5,
    role: "",
    loginStatus: true,
    verified: true,
    blocked: false,
    isApproved: true,
    hasTwoFactor: false,
    senderID: ["AdaStores"],
    createdAt: "2026-01-02T10:00:00.000Z",
    sms: [],
    draft: [],
    phonebook: [],
    transfers: [],
    counts: { sms: 12, draft: 3, phonebook: 2, transfers: 4 },
  },
};

/** What a token of a sign-in answer looks like; its payload holds the id. */
export const tokenFor = (id: string): string => `header.${btoa(JSON.stringify({ id }))}.signature`;

/**
 * Answers the browser's calls by `METHOD /path`, a query in the address not counted; what is asked to be tried (`dryRun`) by `TRY /path`, without a
 * handler as a send of which there is nothing to say. Anything else is an error in the test.
 *
 * @returns every request in order.
 */
export function fakeServer(handlers: Record<string, Handler>): FakeRequest[] {
  const requests: FakeRequest[] = [];
  const noEdits = { body: { data: [], nextChangeAt: null } };
  const noAutoTopUp = { isOn: false, below: null, units: null, perDayMax: null, card: null, isStopped: false };
  const noRows = { body: { data: [], next: null } };
  const all: Record<string, Handler> = {
    "GET /api/brand": { body: brandAnswer },
    "GET /api/view-general-announcement": noRows,
    "GET /api/rates": noEdits,
    [`GET /api/${userId}/invoices`]: noRows,
    [`GET /api/${userId}/passkeys`]: noRows,
    [`GET /api/${userId}/virtual-account`]: {
      body: { message: "Account number", data: { isOffered: true, account: null, sandboxUrl: null } },
    },
    [`GET /api/${userId}/auto-top-up`]: { body: { message: "Auto top-up", data: noAutoTopUp } },
    [`GET /api/${userId}/populate-sms-history`]: noRows,
    [`GET /api/${userId}/view-sms-days`]: { body: { message: "Your last days", data: [] } },
    ...handlers,
  };
  vi.stubGlobal("fetch", async (address: string, options: RequestInit = {}) => {
    const [path, query = ""] = address.split("?");
    const body = readBody(options.body);
    const isTry = typeof body === "object" && body !== null && "dryRun" in body && body.dryRun === true;
    const call = `${isTry ? "TRY" : (options.method ?? "GET")} ${path}`;
    const request = { call, query, body, headers: new Headers(options.headers) };
    requests.push(request);
    // Without prices of their own a customer pays what the list says.
    const listed = call === `GET /api/${userId}/rates` ? all["GET /api/rates"] : undefined;
    const handler = all[call] ?? listed ?? (isTry ? triedAnswer : undefined);
    if (handler === undefined) throw new Error(`The fake server has no ${call}`);
    if (handler === "offline") throw new TypeError("Failed to fetch");
    const { status = 200, text, ...answer } = typeof handler === "function" ? await handler(request) : handler;
    return text === undefined ? Response.json(answer.body, { status }) : new Response(text, { status });
  });
  return requests;
}

function readBody(body: BodyInit | null | undefined): unknown {
  return typeof body === "string" ? JSON.parse(body) : body;
}
