/**
 * The documents of the pages: drawn once, compressed once, and served from memory until a rate changes. The brand changes
 * with a restart.
 */
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import {
  publicPagePaths,
  type CreateDocumentRenderer,
  type DocumentBuild,
  type DocumentRenderer,
  type Rates,
  DEFAULT_COUNTRY_CODE,
  MILLI_PER_UNIT,
  rateMilliForCode,
  type PublicSettings,
} from "@ewebal/contract";
import type { Deps } from "../../base/deps.ts";
import type { FindDocument, PageDocument } from "../../http/pages.ts";
import { listRates, type ReadRates } from "../rates/index.ts";
import type { Config } from "../../base/config.ts";
import { isLoopbackUrl } from "../../base/loopback.ts";
import { isStandingIn } from "../../base/trial-parts.ts";

/** What a browser must know before anyone has signed in. Nothing else of the configuration leaves the server. */
export function publicSettings(config: Config, rates: Rates, isSimulated: boolean): PublicSettings {
  return {
    ...config.brand,
    publicUrl: config.publicUrl,
    startingRate: rateMilliForCode(DEFAULT_COUNTRY_CODE, rates) / MILLI_PER_UNIT,
    emailRules: config.emailRules,
    pageRule: config.pageRule,
    adminEmailHost: config.adminEmailHost,
    isSimulated,
    isCardSandbox: isStandingIn(config, "card"),
    hasCards: config.paystackSecretKey !== undefined || isStandingIn(config, "card"),
    isMailKept: isStandingIn(config, "mailbox") && isLoopbackUrl(config.publicUrl),
  };
}

/** Of promotional messages, and of transactional ones. */
type Prices = { rates: Rates; transactional: Rates };

type DocumentDeps = Pick<Deps, "config" | "log"> & {
  /** What the rates are now; another table than before makes all documents anew. */
  readRates: ReadRates;
  /** Those of transactional messages; the same holds for them. */
  readTransactional: ReadRates;
  /** Whether the simulator carries; another answer than before does the same. */
  readIsSimulated: () => Promise<boolean>;
};

/** A whole public page in 6 ms, and 2 % larger than the best that brotli can do in 60. */
const BROTLI_QUALITY = 7;

/**
 * @param distFolder the pages as built, see `process-tree/web-build.ts`.
 * @returns a function that gives the document of an address. One that cannot be drawn is logged, and the plain document
 * takes its place: it is drawn by the browser alone.
 */
export async function openDocuments(
  { config, log, readRates, readTransactional, readIsSimulated }: DocumentDeps,
  distFolder: string,
): Promise<FindDocument> {
  const { renderer, build } = await loadRenderer(distFolder);
  let drawnWith: Prices | undefined;
  let wasSimulated: boolean | undefined;
  let kept = new Map<string, Promise<PageDocument>>();

  const draw = async (name: string, { rates, transactional }: Prices, isSimulated: boolean): Promise<PageDocument> => {
    try {
      return await compressDocument(
        await renderer.renderDocument(name, {
          settings: publicSettings(config, rates, isSimulated),
          rates: listRates(rates, transactional),
        }),
      );
    } catch (error) {
      log.error({ err: error, document: name }, "a document could not be drawn on the server");
      return await compressDocument(build.template);
    }
  };
  const find = async (path: string, isPage: boolean): Promise<PageDocument> => {
    const [rates, transactional, isSimulated] = await Promise.all([
      readRates(),
      readTransactional(),
      readIsSimulated(),
    ]);
    const prices = { rates, transactional };
    if (rates !== drawnWith?.rates || transactional !== drawnWith.transactional || isSimulated !== wasSimulated) {
      drawnWith = prices;
      wasSimulated = isSimulated;
      kept = new Map();
    }
    const name = renderer.nameDocument(path, isPage);
    const document = kept.get(name) ?? draw(name, prices, isSimulated);
    kept.set(name, document);
    return await document;
  };
  // Before anybody asks: the very first drawing, with cold code, takes ten times as long as any other.
  await Promise.all(publicPagePaths.map(async (path) => await find(path, true)));
  return find;
}

async function loadRenderer(distFolder: string): Promise<{ renderer: DocumentRenderer; build: DocumentBuild }> {
  const [template, manifest] = await Promise.all(
    ["client/index.html", "server/manifest.json"].map((path) => readFile(join(distFolder, path), "utf8")),
  );
  const build: DocumentBuild = {
    template: template ?? "",
    manifest: JSON.parse(manifest ?? "") as DocumentBuild["manifest"],
  };
  const module = (await import(pathToFileURL(join(distFolder, "server/render-document.js")).href)) as {
    createDocumentRenderer: CreateDocumentRenderer;
  };
  return { renderer: module.createDocumentRenderer(build), build };
}

async function compressDocument(html: string): Promise<PageDocument> {
  const plain = Buffer.from(html);
  const [br, gz] = await Promise.all([
    promisify(brotliCompress)(plain, {
      params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY, [constants.BROTLI_PARAM_SIZE_HINT]: plain.length },
    }),
    promisify(gzip)(plain),
  ]);
  // Weak: the three forms say the same and are not the same bytes.
  const etag = `W/"${createHash("sha256").update(plain).digest("base64url").slice(0, 22)}"`;
  return { plain, br, gzip: gz, etag };
}
