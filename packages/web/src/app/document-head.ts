import type { PublicSettings } from "@ewebal/contract";
import { paths } from "../lib/paths.ts";

type DescribedPage = {
  title: string;
  description: string;
  /** Undefined for a page that stands under no address of its own. */
  path: string | undefined;
};

/**
 * The head of a page's document: how it is named, found and shared, and which files it will need.
 *
 * @param page undefined for the pages that search engines have no business with.
 * @param files of the build, style sheets and scripts.
 */
export function describePage(
  page: DescribedPage | undefined,
  settings: PublicSettings,
  files: readonly string[],
): string {
  const { name, publicUrl } = settings;
  if (page?.path === undefined) {
    return [
      element("title", [page?.title, name]),
      tag("meta", { name: "robots", content: "noindex" }),
      ...files.map(preload),
    ].join("");
  }
  const title = `${page.title} - ${name}`;
  const address = `${publicUrl}${page.path === paths.home ? "/" : page.path}`;
  const shared = {
    type: "website",
    site_name: `${name}${settings.suffix}`,
    title,
    description: page.description,
    url: address,
  };
  return [
    element("title", [title]),
    tag("meta", { name: "description", content: page.description }),
    tag("link", { rel: "canonical", href: address }),
    ...Object.entries(shared).map(([property, content]) => tag("meta", { property: `og:${property}`, content })),
    tag("meta", { name: "twitter:card", content: "summary" }),
    page.path === paths.home ? toDataBlock({ type: "application/ld+json" }, describeCompany(settings)) : "",
    ...files.map(preload),
  ].join("");
}

/** The company as search engines read it. (schema.org) */
function describeCompany({ name, suffix, publicUrl, address, phones, emails }: PublicSettings): unknown {
  return {
    "@context": "https://schema.org",
    "@type": "Organization",
    name: `${name}${suffix}`,
    url: `${publicUrl}/`,
    logo: `${publicUrl}/favicon.svg`,
    address,
    telephone: phones,
    email: emails,
  };
}

/** JSON inside HTML: no text in it can end the block. */
export function toDataBlock(attributes: Record<string, string>, data: unknown): string {
  return `${tag("script", attributes)}${JSON.stringify(data).replaceAll("<", String.raw`\u003c`)}</script>`;
}

/** Scripts come after the style sheets and the font: the page is read long before it needs them. */
function preload(file: string): string {
  const address = { href: `/${file}`, crossorigin: "" };
  return file.endsWith(".css")
    ? tag("link", { rel: "stylesheet", ...address })
    : tag("link", { rel: "modulepreload", fetchpriority: "low", ...address });
}

/** The same for the scripts that the template brings along by itself. */
export function letScriptsWait(template: string): string {
  return template.replaceAll('<link rel="modulepreload" ', '<link rel="modulepreload" fetchpriority="low" ');
}

function element(name: string, texts: readonly (string | undefined)[]): string {
  return `<${name}>${escapeHtml(texts.filter((text) => text !== undefined).join(" - "))}</${name}>`;
}

function tag(name: string, attributes: Record<string, string>): string {
  return `<${name}${Object.entries(attributes)
    .map(([key, value]) => ` ${key}="${escapeHtml(value)}"`)
    .join("")}>`;
}

function escapeHtml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
}
