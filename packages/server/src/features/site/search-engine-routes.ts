import { publicPagePaths } from "@ewebal/contract";
import type { Config } from "../../config.ts";
import type { App } from "../../http/app-type.ts";

/** What search engines may read, and where it is. */
export function searchEngineRoutes(app: App, { publicUrl }: Pick<Config, "publicUrl">): void {
  const hidden = ["/api/", "/user-dashboard", "/admin-dashboard", "/mailbox", "/virtual-phones"];
  const robots = ["User-agent: *", ...hidden.map((path) => `Disallow: ${path}`), "", `Sitemap: ${publicUrl}/sitemap.xml`, ""].join("\n");
  const addresses = publicPagePaths.map((path) => `<url><loc>${publicUrl.replaceAll("&", "&amp;")}${path}</loc></url>`);
  const sitemap = `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${addresses.join("\n")}\n</urlset>\n`;
  const serve = (path: string, type: string, text: string): void => {
    app.get(path, { schema: { hide: true } }, async (_request, reply) => await reply.type(type).header("cache-control", "public, max-age=3600").send(text));
  };
  serve("/robots.txt", "text/plain; charset=utf-8", robots);
  serve("/sitemap.xml", "application/xml; charset=utf-8", sitemap);
}
