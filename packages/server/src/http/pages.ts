/** Serves the built pages. Every known address answers the same document; an unknown one answers it with status 404. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import fastifyStatic from "@fastify/static";
import { pagePaths } from "@ewebal/contract";
import type { FastifyReply } from "fastify";
import { AppError } from "../errors.ts";
import type { App } from "./app-type.ts";
import { translateError } from "./error-translator.ts";

/** File names under `assets/` carry a hash of their content, so a browser never has to ask again. */
const immutableSeconds = 365 * 24 * 60 * 60;

/** @param distFolder the pages as built, see `process-tree/web-build.ts`. */
export async function servePages(app: App, distFolder: string): Promise<void> {
  const document = await readFile(join(distFolder, "index.html"));
  const sendDocument = (reply: FastifyReply, status: number): FastifyReply =>
    reply.code(status).type("text/html; charset=utf-8").header("cache-control", "no-cache").send(document);

  await app.register(fastifyStatic, {
    root: distFolder,
    index: false,
    wildcard: false,
    preCompressed: true,
    cacheControl: false,
    setHeaders: (response, path) => {
      const isHashed = path.includes("/assets/");
      void response.header("cache-control", isHashed ? `public, max-age=${immutableSeconds}, immutable` : "no-cache");
    },
  });
  for (const path of pagePaths) {
    app.get(path, { schema: { hide: true } }, (_request, reply) => sendDocument(reply, 200));
  }
  app.setNotFoundHandler((request, reply) => {
    const isPage = (request.method === "GET" || request.method === "HEAD") && !/^\/api(?:\/|$)/.test(request.url);
    // A missing file is not a page: a script tag must not be answered with a document.
    if (isPage && !request.url.startsWith("/assets/")) return sendDocument(reply, 404);
    return translateError(new AppError("NOT_FOUND"), request, reply);
  });
}
