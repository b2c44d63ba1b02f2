/**
 * What recipients open: the short links of texts, and the page by which they opt out. Nobody is signed in here, and no cookie is looked at; the
 * code in the address is all that is known.
 */
import type { FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import type { Deps } from "../../../base/deps.ts";
import type { App } from "../../../http/app-type.ts";
import { clientKey } from "../../../http/rate-limits/client-address.ts";
import { countTryQuietly, rateRules } from "../../../http/rate-limits/rate-limit.ts";
import { countClick, followOptOutLink, readOptOutLink, readShortLink, type OptOutLink } from "../../delivery/index.ts";
import { expiredLinkPage, optOutPage, tooManyLinksPage, unknownLinkPage } from "./link-pages.ts";

const FORM_BYTES_MAX = 1_000;
const params = z.object({ code: z.string().max(64) });
const schema = { hide: true, params };

export async function linkRoutes(app: App, deps: Deps): Promise<void> {
  await app.register(async (scope: App) => {
    // A form without a named button, and a body of any other type, ask for what the page is for.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser(
      "*",
      { parseAs: "string", bodyLimit: FORM_BYTES_MAX },
      (_request, body: string, done) => {
        done(null, Object.fromEntries(new URLSearchParams(body)));
      },
    );
    scope.get("/o/:code", { schema }, async (request, reply) => {
      const { code } = request.params;
      return await answerOptOut(deps, request, reply, () => readOptOutLink(deps.db, code));
    });
    scope.post("/o/:code", { schema }, async (request, reply) => {
      const { code } = request.params;
      const wish = (request.body as { wish?: string } | undefined)?.wish === "undo" ? "undo" : "stop";
      return await answerOptOut(deps, request, reply, () => followOptOutLink(deps.db, code, wish));
    });
    // Also HEAD, which counts nothing: programs ask so where a link leads.
    scope.get("/l/:code", { schema }, async (request, reply) => await answerShortLink(deps, request, reply));
  });
}

async function answerOptOut(
  deps: Deps,
  request: FastifyRequest,
  reply: FastifyReply,
  find: () => Promise<OptOutLink | undefined>,
): Promise<FastifyReply> {
  const { code } = request.params as z.infer<typeof params>;
  const link = await find();
  if (link === undefined) return await answerUnknown(deps, request, reply);
  // Under the usual referrer policy the form would be sent without its origin.
  void reply.header("referrer-policy", "same-origin");
  return await sendPage(reply, 200, optOutPage(deps.config.brand, code, link));
}

async function answerShortLink(deps: Deps, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const { code } = request.params as z.infer<typeof params>;
  const link = await readShortLink(deps.db, code, deps.clock.now());
  if (link.kind === "unknown") return await answerUnknown(deps, request, reply);
  if (link.kind === "expired") return await sendPage(reply, 410, expiredLinkPage(deps.config.brand));
  if (request.method !== "HEAD") await countClick(deps.db, link.place, isPreview(request.headers["user-agent"]));
  // Two clicks are two: nothing on the way may answer the second by itself.
  return await reply.code(302).header("location", asHeader(link.target)).header("cache-control", "no-store").send();
}

/** A header holds no other characters than these; `URL` writes an address with them alone. */
function asHeader(target: string): string {
  return /^[\x21-\x7e]+$/.test(target) ? target : new URL(target).href;
}

/**
 * Only codes that lead nowhere are counted, and only they are refused: who tries many looks for other people's, and may do so from the address
 * that a carrier's subscribers share, whose own links must work.
 */
async function answerUnknown(deps: Deps, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const waitSeconds = await countTryQuietly(deps, deps.db, rateRules.unknownLink, clientKey(request.ip));
  if (waitSeconds === undefined) return await sendPage(reply, 404, unknownLinkPage(deps.config.brand));
  void reply.header("retry-after", String(waitSeconds));
  return await sendPage(reply, 429, tooManyLinksPage(deps.config.brand));
}

async function sendPage(reply: FastifyReply, status: 200 | 404 | 410 | 429, html: string): Promise<FastifyReply> {
  void reply.header("cache-control", "no-store").header("x-robots-tag", "noindex, nofollow");
  return await reply.code(status).type("text/html; charset=utf-8").send(html);
}

/**
 * Programs that look where a link leads, so as to show a picture of it or to list it: nobody has pressed. Known by the names that they give
 * themselves; a program that claims to be a browser counts as a person.
 */
const PREVIEW =
  /bot\b|crawler|spider|preview|whatsapp|facebookexternalhit|facebookcatalog|meta-external|telegram|slack|discord|skype|viber|snapchat|linkedin|pinterest|vkshare|embedly|iframely|google-(?:inspection|safety|read-aloud)|googleother|mediapartners|apis-google|feedfetcher|bingbot|bingpreview|yandex|baiduspider|duckduck|applebot|redditbot|urlscan|safebrowsing|virustotal|headlesschrome/i;

function isPreview(userAgent: string | undefined): boolean {
  return PREVIEW.test(userAgent ?? "");
}
