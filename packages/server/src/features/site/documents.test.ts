import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { brotliCompressSync, brotliDecompressSync, gunzipSync } from "node:zlib";
import type { Rates } from "@ewebal/contract";
import Fastify from "fastify";
import { pino, type Logger } from "pino";
import { expect, test as base } from "vitest";
import { readConfig } from "../../base/config.ts";
import type { App } from "../../http/app-type.ts";
import { servePages } from "../../http/pages.ts";
import { openDocuments } from "./documents.ts";

/** Counts its drawings, and breaks where it is told to. */
const rendererSource = `
let drawings = 0;
export const createDocumentRenderer = () => ({
  nameDocument: (pathname, isPage) => (isPage ? pathname : "not found"),
  renderDocument: async (name, { settings, rates }) => {
    if (name === "/login") throw new Error("a page broke");
    drawings += 1;
    return \`<h1>\${name}</h1><p>\${settings.name} \${settings.startingRate} \${rates.length} \${rates[0].transactionalRate} drawing \${drawings}</p>\${" ".repeat(2000)}\`;
  },
});`;

type Logged = { level: number; document?: string };
type Fixtures = {
  folder: string;
  logged: Logged[];
  /** Without others for transactional messages, those have the same. */
  setRates: (rates: Rates, transactional?: Rates) => void;
  app: App;
};

const test = base.extend<Fixtures>({
  // eslint-disable-next-line no-empty-pattern -- vitest reads the wanted fixtures from the pattern.
  folder: async ({}, use) => {
    const folder = await mkdtemp(join(tmpdir(), "ewebal-dist-"));
    await mkdir(join(folder, "client/assets"), { recursive: true });
    await mkdir(join(folder, "server"));
    await writeFile(join(folder, "client/index.html"), "<p>plain</p>");
    await writeFile(join(folder, "client/assets/a.js"), "1");
    await writeFile(join(folder, "client/assets/a.js.br"), brotliCompressSync("1"));
    await writeFile(join(folder, "server/manifest.json"), "{}");
    await writeFile(join(folder, "server/render-document.js"), rendererSource);
    await use(folder);
    await rm(folder, { recursive: true });
  },
  // eslint-disable-next-line no-empty-pattern -- as above.
  logged: async ({}, use) => await use([]),
  setRates: [
    // eslint-disable-next-line no-empty-pattern -- as above.
    async ({}, use) => {
      await use((rates, transactional = rates) => {
        currentTable = rates;
        currentTransactional = transactional;
      });
      currentTable = firstTable;
      currentTransactional = firstTable;
    },
    { auto: true },
  ],
  app: async ({ folder, logged }, use) => {
    const log: Logger = pino(
      { level: "info" },
      { write: (line: string) => void logged.push(JSON.parse(line) as Logged) },
    );
    const config = readConfig({ BRAND: '{"name":"Other"}' });
    const app = Fastify() as unknown as App;
    await servePages(
      app,
      folder,
      await openDocuments(
        {
          config,
          log,
          readRates: () => Promise.resolve(currentTable),
          readTransactional: () => Promise.resolve(currentTransactional),
          readIsSimulated: () => Promise.resolve(true),
        },
        folder,
      ),
    );
    await use(app);
    await app.close();
  },
});

const firstTable: Rates = new Map([["234", 3_000]]);
let currentTable = firstTable;
let currentTransactional = firstTable;

test("a page is drawn once, with the brand and the rates that hold", async ({ app }) => {
  const first = await app.inject("/pricings");
  expect(first.statusCode).toBe(200);
  expect(first.headers["content-type"]).toBe("text/html; charset=utf-8");
  expect(first.body).toContain("<h1>/pricings</h1><p>Other 3 1 3 drawing");
  expect((await app.inject("/pricings?from=mail")).body).toBe(first.body);
});

test("a changed rate is on the next page that anybody opens", async ({ app, setRates }) => {
  const before = await app.inject("/");
  setRates(new Map([["234", 3_500]]));
  const after = await app.inject("/");
  expect(after.body).toContain("Other 3.5 1");
  expect(after.headers["etag"]).not.toBe(before.headers["etag"]);
});

test("a changed rate of transactional messages alone is there, too", async ({ app, setRates }) => {
  expect((await app.inject("/")).body).toContain("Other 3 1 3 ");
  setRates(firstTable, new Map([["234", 5_000]]));
  expect((await app.inject("/")).body).toContain("Other 3 1 5 ");
});

test("an address without a page has its document with status 404, and is asked again each time", async ({ app }) => {
  const answer = await app.inject("/nothing/here");
  expect(answer.statusCode).toBe(404);
  expect(answer.body).toContain("<h1>not found</h1>");
  const again = await app.inject({
    url: "/nothing/here",
    headers: { "if-none-match": String(answer.headers["etag"]) },
  });
  expect(again.statusCode).toBe(404);
});

test("a page that cannot be drawn is logged, and comes plain", async ({ app, logged }) => {
  const answer = await app.inject("/login");
  expect(answer.statusCode).toBe(200);
  expect(answer.body).toBe("<p>plain</p>");
  expect(logged).toEqual([expect.objectContaining({ level: 50, document: "/login" })]);
});

test.for([
  ["br", "br"],
  ["gzip, deflate, br, zstd", "br"],
  ["gzip, br;q=0", "gzip"],
  ["deflate", undefined],
  ["br ; q=0.5 , gzip;q=0", "br"],
  [`gzip, a${" ".repeat(15_000)}b`, undefined],
  ["", undefined],
] as const)("a browser that takes %j gets %s", async ([accepted, encoding], { app }) => {
  const answer = await app.inject({ url: "/", headers: { "accept-encoding": accepted } });
  expect(answer.headers["content-encoding"]).toBe(encoding);
  expect(answer.headers["vary"]).toBe("accept-encoding");
  const body =
    encoding === "br"
      ? brotliDecompressSync(answer.rawPayload)
      : encoding === "gzip"
        ? gunzipSync(answer.rawPayload)
        : answer.rawPayload;
  expect(body.toString()).toContain("<h1>/</h1>");
});

test("a browser that has the document already is told so", async ({ app }) => {
  const { headers } = await app.inject("/");
  const again = await app.inject({ url: "/", headers: { "if-none-match": String(headers["etag"]) } });
  expect(again.statusCode).toBe(304);
  expect(again.body).toBe("");
});

test("files with a hash in their name are kept for ever; a missing file is no page", async ({ app }) => {
  expect((await app.inject("/assets/a.js")).headers["cache-control"]).toBe("public, max-age=31536000, immutable");
  const missing = await app.inject("/assets/b.js");
  expect(missing.statusCode).toBe(404);
  expect(missing.json()).toMatchObject({ code: "NOT_FOUND" });
  expect((await app.inject("/index.html")).statusCode).toBe(404);
});

test("HEAD answers as GET does, without the document", async ({ app }) => {
  const answer = await app.inject({ method: "HEAD", url: "/" });
  expect(answer.statusCode).toBe(200);
  expect(answer.body).toBe("");
});

test("a file goes out compressed to a browser that asks for it so, and its compressed form has no address", async ({
  app,
}) => {
  const file = { url: "/assets/a.js", headers: { "accept-encoding": "gzip, br" } };
  const answer = await app.inject(file);
  expect(answer.headers["content-encoding"]).toBe("br");
  expect(brotliDecompressSync(answer.rawPayload).toString()).toBe("1");
  expect((await app.inject({ url: "/assets/a.js" })).body).toBe("1");
  expect((await app.inject({ url: "/assets/a.js.br" })).statusCode).toBe(404);
});
