import { COUNTRIES, helpRoutes, publicPagePaths, siteRoutes as contract } from "@ewebal/contract";
import type { Deps } from "../../base/deps.ts";
import type { App } from "../../http/app-type.ts";
import { isSimulated } from "../delivery/index.ts";
import { createRateReader } from "../rates/index.ts";
import { askForHelp } from "./ask-for-help.ts";
import { publicSettings } from "./documents.ts";

const DAY_MS = 86_400_000;
/** A reader of security.txt believes it until then; RFC 9116 asks for less than a year. */
const SECURITY_CONTACT_MS = 180 * DAY_MS;

/** What the public pages show (the brand, the countries), and what their contact form sends. */
export function siteRoutes(app: App, deps: Deps): void {
  smallFileRoutes(app, deps);
  const readRates = createRateReader(deps);
  app.route({
    ...contract.brand,
    handler: async () => ({
      message: "Brand",
      data: publicSettings(deps.config, await readRates(), await isSimulated(deps)),
    }),
  });
  const countries = COUNTRIES.map(({ name, code }) => ({ name, code }));
  app.route({ ...contract.countries, handler: async () => ({ data: countries }) });
  app.route({
    ...helpRoutes.needHelp,
    handler: async (request, reply) => {
      const idempotencyKey = request.headers["idempotency-key"];
      await askForHelp(deps, request.body, { clientAddress: request.ip, idempotencyKey });
      return await reply.code(201).send({ message: "Thank you. Your message is with us, and we answer by e-mail" });
    },
  });
}

/**
 * What a phone asks for before it installs the pages. There is no service worker: nothing of a person is kept beside the browser's own cache, and no
 * release outlives the one after it.
 */
function manifestOf({ name, suffix }: Deps["config"]["brand"]): string {
  const icon = (file: string, size: number, purpose: "any" | "maskable"): object => {
    return { src: `/icons/${file}.png`, sizes: `${size}x${size}`, type: "image/png", purpose };
  };
  return JSON.stringify({
    id: "/",
    name: `${name}${suffix}`,
    short_name: name,
    description: "Send SMS to many people, and follow each one",
    start_url: "/user-dashboard",
    scope: "/",
    display: "standalone",
    // The pages' own in the light: what is shown before the first of them.
    background_color: "#f5f7fb",
    theme_color: "#f5f7fb",
    icons: [icon("icon-192", 192, "any"), icon("icon-512", 512, "any"), icon("icon-maskable-512", 512, "maskable")],
  });
}

/** Small files that programs look for: what search engines may read and where it is, what a phone installs, and whom to tell of a hole (RFC 9116). */
function smallFileRoutes(app: App, { config: { publicUrl, brand }, clock }: Pick<Deps, "config" | "clock">): void {
  const hidden = ["/api/", "/user-dashboard", "/admin-dashboard", "/mailbox", "/virtual-phones"];
  const robots = [
    "User-agent: *",
    ...hidden.map((path) => `Disallow: ${path}`),
    "",
    `Sitemap: ${publicUrl}/sitemap.xml`,
    "",
  ].join("\n");
  const addresses = publicPagePaths.map((path) => `<url><loc>${publicUrl.replaceAll("&", "&amp;")}${path}</loc></url>`);
  const sitemap = `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${addresses.join("\n")}\n</urlset>\n`;
  const serve = (path: string, type: string, text: string): void => {
    app.get(
      path,
      { schema: { hide: true } },
      async (_request, reply) => await reply.type(type).header("cache-control", "public, max-age=3600").send(text),
    );
  };
  serve("/manifest.webmanifest", "application/manifest+json; charset=utf-8", manifestOf(brand));
  serve("/robots.txt", "text/plain; charset=utf-8", robots);
  serve("/sitemap.xml", "application/xml; charset=utf-8", sitemap);
  app.get("/.well-known/security.txt", { schema: { hide: true } }, async (_request, reply) => {
    const lines = [
      ...brand.emails.map((email) => `Contact: mailto:${email}`),
      `Expires: ${new Date(clock.now().getTime() + SECURITY_CONTACT_MS).toISOString()}`,
      "Preferred-Languages: en",
      `Canonical: ${publicUrl}/.well-known/security.txt`,
    ];
    return await reply
      .type("text/plain; charset=utf-8")
      .header("cache-control", "public, max-age=86400")
      .send(`${lines.join("\n")}\n`);
  });
}
