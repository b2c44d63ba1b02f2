/** Serves the files of the built pages, and a document for every address; an address without a page has status 404. */
import { join } from "node:path";
import fastifyStatic from "@fastify/static";
import { pagePaths } from "@ewebal/contract";
import type { FastifyReply, FastifyRequest } from "fastify";
import { AppError } from "../base/errors.ts";
import type { App } from "./app-type.ts";
import { translateError } from "./errors/error-translator.ts";

/** A document in every encoding that a browser may ask for. */
export type PageDocument = { plain: Buffer; br: Buffer; gzip: Buffer; etag: string };

/** @param path the page's, as `pagePaths` has it, or the whole address when no page has it. */
export type FindDocument = (path: string, isPage: boolean) => Promise<PageDocument>;

/** File names under `assets/` carry a hash of their content, so a browser never has to ask again. */
const IMMUTABLE_SECONDS = 365 * 24 * 60 * 60;

/** @param distFolder the pages as built, see `process-tree/web-build.ts`. */
export async function servePages(app: App, distFolder: string, findDocument: FindDocument): Promise<void> {
  await app.register(fastifyStatic, {
    root: join(distFolder, "client"),
    index: false,
    wildcard: false,
    preCompressed: true,
    cacheControl: false,
    // The template of the documents is no page by itself, and the compressed files are found beside the others without routes of their own.
    globIgnore: ["index.html*", "**/*.{br,gz}"],
    setHeaders: (response, path) => {
      const isHashed = path.includes("/assets/");
      void response.header("cache-control", isHashed ? `public, max-age=${IMMUTABLE_SECONDS}, immutable` : "no-cache");
    },
  });
  for (const path of pagePaths) {
    app.get(path, { schema: { hide: true } }, async (request, reply) =>
      sendDocument(request, reply, 200, await findDocument(path, true)),
    );
  }
  app.setNotFoundHandler(async (request, reply) => {
    const isPage = (request.method === "GET" || request.method === "HEAD") && !/^\/api(?:\/|$)/.test(request.url);
    // A missing file is not a page: a script tag must not be answered with a document.
    if (isPage && !request.url.startsWith("/assets/")) {
      return sendDocument(request, reply, 404, await findDocument(request.url.split("?", 1)[0] ?? "/", false));
    }
    return translateError(new AppError("NOT_FOUND"), request, reply);
  });
}

function sendDocument(
  request: FastifyRequest,
  reply: FastifyReply,
  status: 200 | 404,
  document: PageDocument,
): FastifyReply {
  void reply.header("cache-control", "no-cache").header("vary", "accept-encoding").header("etag", document.etag);
  if (status === 200 && request.headers["if-none-match"] === document.etag) return reply.code(304).send();
  const encoding = chooseEncoding(request.headers["accept-encoding"] ?? "");
  if (encoding !== undefined) void reply.header("content-encoding", encoding);
  return reply
    .code(status)
    .type("text/html; charset=utf-8")
    .send(document[encoding ?? "plain"]);
}

/** Browsers send 40 characters; a longer header is ignored. */
const ACCEPTED_CHARACTERS_MAX = 200;

function chooseEncoding(accepted: string): "br" | "gzip" | undefined {
  if (accepted.length > ACCEPTED_CHARACTERS_MAX) return undefined;
  const names = accepted.split(",").flatMap((part) => {
    const [name = "", ...parameters] = part.split(";").map((piece) => piece.trim().toLowerCase());
    const weight = parameters.find((parameter) => parameter.startsWith("q="))?.slice("q=".length) ?? "1";
    return Number(weight) > 0 ? [name] : [];
  });
  return (["br", "gzip"] as const).find((name) => names.includes(name));
}
