/**
 * Who may import whom. The table below is the whole rule; `npm run check` and a test hold the tree to it.
 * A file belongs to the first part whose folder it lies in. Tests and fixtures may import anything.
 */
import { posix } from "node:path";
import { pathToFileURL } from "node:url";
import { readSourceFiles, type SourceFile } from "./source-files.ts";

type Part = {
  /** Folder prefix, or a pattern, of the part's files. */
  files: string | RegExp;
  /** Parts of ours that it may import, by name. `self` is always allowed. */
  mayImport: string[];
  /** Packages from npm and `node:` that it may import; `*` allows any. */
  packages: string[];
};

const SERVER = "packages/server/src/";

/** Features that a feature may import, only through their `index.ts`. The arrows have no circles. */
export const featureArrows: Record<string, string[]> = {
  site: ["delivery", "rates"],
  alarms: [],
  rates: [],
  accounts: [],
  approvals: [],
  contacts: ["rates"],
  delivery: [],
  billing: ["accounts", "approvals", "delivery"],
  messages: ["accounts", "approvals", "billing", "contacts", "delivery", "rates"],
  "smpp-access": ["accounts", "delivery", "messages", "rates"],
  webhooks: ["accounts", "delivery", "messages"],
  privacy: ["accounts", "contacts", "delivery", "messages"],
  admin: ["accounts", "alarms", "approvals", "contacts", "delivery", "billing", "messages", "site"],
};

const belowFeatures = ["db", "http", "jobs", "mail", "files", "events", "outbox", "secrets"];

export const parts: Record<string, Part> = {
  gsm: { files: "packages/gsm/src/", mayImport: [], packages: [] },
  // What the browser fetches of the contract brings no zod along.
  contractCalls: { files: "packages/contract/src/calls/", mayImport: ["contract", "contractRules"], packages: [] },
  contractRules: { files: "packages/contract/src/rules/", mayImport: ["contract", "gsm"], packages: [] },
  // Fetched by workers of the browser alone.
  contractFiles: { files: "packages/contract/src/files/", mayImport: ["contractRules"], packages: ["saxes"] },
  contract: {
    files: "packages/contract/src/",
    mayImport: ["contractCalls", "contractRules", "gsm"],
    packages: ["zod"],
  },
  // What customers install: it brings nothing along.
  client: { files: "packages/client/src/", mayImport: [], packages: [] },
  smpp: { files: "packages/smpp/", mayImport: ["gsm"], packages: ["node:"] },
  embeddedPostgres: { files: "packages/embedded-postgres/src/", mayImport: [], packages: ["node:", "pg"] },
  simulator: { files: "packages/simulator/src/", mayImport: ["gsm", "smpp"], packages: ["node:"] },
  // Configuration, errors, ids and what operations are given: they know nothing of features, and everything below may use them.
  base: {
    files: `${SERVER}base/`,
    mayImport: ["contract", "db", "jobs"],
    packages: ["node:", "zod", "pino", "uuid"],
  },
  db: {
    files: `${SERVER}db/`,
    mayImport: ["base", "contract"],
    packages: ["node:", "pg", "pg-connection-string", "zod"],
  },
  jobs: {
    files: `${SERVER}jobs/`,
    mayImport: ["base", "contract", "db"],
    packages: ["node:", "pg-boss", "pg", "pg-connection-string", "pino"],
  },
  mail: {
    files: `${SERVER}mail/`,
    mayImport: ["base", "contract", "db", "jobs", "http"],
    packages: ["node:", "nodemailer", "uuid", "pino"],
  },
  files: { files: `${SERVER}files/`, mayImport: ["base", "contract", "db", "http", "jobs"], packages: ["*"] },
  events: {
    files: `${SERVER}events/`,
    mayImport: ["base", "contract", "db", "http"],
    packages: ["node:", "fastify", "@fastify/sse", "pino"],
  },
  outbox: { files: `${SERVER}outbox/`, mayImport: ["base", "contract", "db"], packages: ["node:", "uuid"] },
  http: { files: `${SERVER}http/`, mayImport: ["base", "contract", "db"], packages: ["*"] },
  secrets: { files: `${SERVER}secrets/`, mayImport: ["base", "db"], packages: ["node:"] },
  ledger: { files: `${SERVER}ledger/`, mayImport: ["base", "contract", "db"], packages: ["node:", "uuid"] },
  carriers: {
    files: /^packages\/server\/src\/features\/delivery\/carriers\/(?:smpp\/|carrier\.ts$)/,
    mayImport: ["base", "contract", "gsm", "smpp"],
    packages: ["node:", "pino"],
  },
  ...Object.fromEntries(
    Object.entries(featureArrows).map(([feature, arrows]) => [
      `feature ${feature}`,
      {
        files: `${SERVER}features/${feature}/`,
        mayImport: [
          "base",
          "contract",
          "ledger",
          ...belowFeatures,
          ...arrows.map((name) => `feature ${name}`),
          ...(feature === "delivery" ? ["carriers", "gsm", "smpp"] : []),
          ...(feature === "smpp-access" ? ["gsm", "smpp"] : []),
        ],
        packages: ["*"],
      } satisfies Part,
    ]),
  ),
  roles: { files: SERVER, mayImport: ["*"], packages: ["*"] },
  webLib: { files: "packages/web/src/lib/", mayImport: ["contract", "gsm"], packages: ["*"] },
  webUi: { files: "packages/web/src/ui/", mayImport: ["contract", "webLib"], packages: ["*"] },
  // What several features know of the product: it may call the API, and knows no feature.
  webShared: { files: "packages/web/src/shared/", mayImport: ["contract", "gsm", "webLib", "webUi"], packages: ["*"] },
  ...Object.fromEntries(
    ["accounts", "contacts", "messages", "billing", "admin", "site"].map((feature) => [
      `web ${feature}`,
      {
        files: `packages/web/src/features/${feature}/`,
        mayImport: ["contract", "gsm", "webLib", "webUi", "webShared"],
        packages: ["*"],
      },
    ]),
  ),
  webApp: { files: "packages/web/src/", mayImport: ["*"], packages: ["*"] },
};

const TEST_FILE = /\.test\.tsx?$|\/testing\/|vitest\.config\.ts$|\/bench\/|\/scripts\//;
/** Fastify and its plugins; a form's parser may be used by what receives the form. */
const HTTP_PACKAGE = /^(?:fastify|@fastify\/(?!multipart))/;
/** Routes, and the guards of theirs that a feature keeps (`require-key.ts`). */
const SPEAKS_HTTP = /(?:(?:\/|-)routes|\/require-[a-z-]+)\.ts$/;
const BROWSER_FORBIDDEN = /^(?:node:|pg$|fastify)/;

/** @returns one sentence for each import that the table forbids. */
export function findForbiddenImports(files: SourceFile[]): string[] {
  return files
    .filter((file) => !TEST_FILE.test(file.path))
    .flatMap((file) => [
      ...importsOf(file.text).flatMap((target) => judge(file.path, target)),
      ...findSchemasInPage(file),
      ...findProductInUi(file),
    ]);
}

/** A page that imports a schema, other than its type, fetches zod before anybody sees the page. */
function findSchemasInPage({ path, text }: SourceFile): string[] {
  if (!path.startsWith("packages/web/src/")) return [];
  const found = text.matchAll(
    /(?:^|\n)(?:import|export)\s+(?!type\b)[^;"']*?from\s*"(@ewebal\/contract(?:\/schemas[^"]*)?)"/g,
  );
  return [...found].map(
    ([, target]) =>
      `${path}: import only types from ${target}; values from its ./calls and ./rules, schemas with await import()`,
  );
}

/** `ui` knows no product word: of the contract it may import the rules alone, for limits and durations. */
function findProductInUi({ path, text }: SourceFile): string[] {
  if (!path.startsWith("packages/web/src/ui/")) return [];
  return importsOf(text)
    .filter((target) => target.startsWith("@ewebal/contract") && target !== "@ewebal/contract/rules")
    .map((target) => `${path}: ui may not import ${target}; what knows calls or records belongs into shared`);
}

/** Every module name of static imports, re-exports and `import()`. */
function importsOf(text: string): string[] {
  const found = text.matchAll(
    /(?:^|\n)\s*(?:import|export)\b[^;"'`]*?from\s*["']([^"']+)["']|\bimport\(\s*["']([^"']+)["']|(?:^|\n)import\s+["']([^"']+)["']/g,
  );
  return [...found].map((match) => match[1] ?? match[2] ?? match[3] ?? "");
}

function judge(path: string, target: string): string[] {
  const from = partOf(path);
  if (from === undefined) return [];
  const part = parts[from];
  if (part === undefined) return [];
  const resolved = resolveOwn(path, target);
  if (resolved === undefined) {
    if (from.startsWith("web") && BROWSER_FORBIDDEN.test(target)) return [`${path}: a browser cannot import ${target}`];
    if (from.startsWith("feature ") && HTTP_PACKAGE.test(target) && !SPEAKS_HTTP.test(path))
      return [`${path}: routes and guards alone speak HTTP; an operation may not import ${target}`];
    const isAllowed = part.packages.some((name) => isNamed(target, name));
    return isAllowed ? [] : [`${path}: ${from} may not import the package ${target}`];
  }
  const to = partOf(resolved);
  if (to === undefined || to === from || part.mayImport.includes("*")) return routeRule(path, resolved);
  if (!part.mayImport.includes(to)) return [`${path}: ${from} may not import ${to} (${target})`];
  if (to.startsWith("feature ") && !resolved.endsWith("/index.ts")) {
    return [`${path}: import ${to} through its index.ts, not ${target}`];
  }
  return routeRule(path, resolved);
}

/** `node:` stands for all of Node's modules, a package's name also for its subpaths. */
function isNamed(target: string, name: string): boolean {
  return name === "*" || target === name || target.startsWith(name.endsWith(":") ? name : `${name}/`);
}

/** A route asks an operation; it never reaches for the database itself. */
function routeRule(path: string, resolved: string): string[] {
  const isRoutes = /\/features\/(?:[^/]+\/)+(?:[a-z-]+-)?routes\.ts$/.test(path);
  const isStore = /(?:\/|-)store\.ts$/.test(resolved);
  return isRoutes && isStore ? [`${path}: routes call operations, not the store (${resolved})`] : [];
}

/** @returns the path in this repository that an import names, or undefined for a package of others. */
function resolveOwn(path: string, target: string): string | undefined {
  if (target.startsWith(".")) return posix.normalize(posix.join(posix.dirname(path), target));
  const own = /^@ewebal\/([a-z-]+)(\/.*)?$/.exec(target);
  return own === null ? undefined : `packages/${own[1]}/src/index.ts`;
}

function partOf(path: string): string | undefined {
  return Object.keys(parts).find((name) => {
    const files = parts[name]?.files;
    return typeof files === "string" ? path.startsWith(files) : files?.test(path);
  });
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const faults = findForbiddenImports(readSourceFiles(/^packages\/[^/]+\/.*\.tsx?$/));
  for (const fault of faults) process.stderr.write(`${fault}\n`);
  process.exitCode = faults.length > 0 ? 1 : 0;
}
