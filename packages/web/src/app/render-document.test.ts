/** Drawn as on the server: no window, no document. */
import { readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { pagePaths, type DocumentFacts } from "@ewebal/contract";
import { allPaths, publicPaths } from "@ewebal/contract/pages";
import { describe, expect, test } from "vitest";
import { brandAnswer } from "../testing/fake-server.ts";
import { publicPages } from "./public-pages.ts";
import { createDocumentRenderer } from "./render-document.tsx";

const template = readFileSync(join(import.meta.dirname, "../../index.html"), "utf8");
/** The module that each record fetches, by the page's address: as it is written, and not as the renderer finds it. */
const pageModules = new Map(
  ["public-pages.ts", "customer-pages.ts", "admin-pages.ts"].flatMap((list) => {
    const source = readFileSync(join(import.meta.dirname, list), "utf8");
    return [...source.matchAll(/^ {2}(\w+): \{(?:(?!^ {2}\w+: ).)*?import\("(\.[^"]+)"\)/gms)].map(
      ([, name = "", path = ""]): [string, string] => [
        allPaths[name as keyof typeof allPaths],
        posix.join("src/app", path),
      ],
    );
  }),
);
const frames = {
  card: ["src/shared/account/auth-card.tsx"],
  user: ["src/app/customer-pages.ts", "src/app/dashboard-shell.tsx"],
  admin: ["src/app/admin-pages.ts", "src/app/admin-shell.tsx"],
};
const modules = [
  ...new Set(["src/ui/feedback/not-found-page.tsx", ...Object.values(frames).flat(), ...pageModules.values()]),
];
/** What the head says of a module. */
const styleOf = (module: string | undefined): string => {
  expect(modules).toContain(module);
  return `<link rel="stylesheet" href="/assets/${modules.indexOf(module ?? "")}.css"`;
};
const manifest = {
  ...Object.fromEntries(
    modules.map((module, index) => [
      module,
      { file: `assets/${index}.js`, css: [`assets/${index}.css`], imports: ["shared"] },
    ]),
  ),
  shared: { file: "assets/shared.js" },
  "index.html": { file: "assets/main.js", imports: ["shared"] },
};
const facts: DocumentFacts = {
  settings: {
    ...(brandAnswer.data as DocumentFacts["settings"]),
    publicUrl: "https://sms.example.com",
    startingRate: 3,
  },
  rates: [
    { country: "Kenya", code: "254", rate: 5.9, transactionalRate: 5.9 },
    { country: "Nigeria", code: "234", rate: 3, transactionalRate: 3 },
  ],
};
const renderer = createDocumentRenderer({ template, manifest });
const draw = async (name: string, changed: Partial<DocumentFacts["settings"]> = {}): Promise<string> =>
  await renderer.renderDocument(name, { ...facts, settings: { ...facts.settings, ...changed } });
const readable = (html: string): string =>
  html
    .replaceAll(/<script.*?<\/script>|<!--.*?-->/gs, "")
    .replaceAll(/<[^>]+>/g, " ")
    .replaceAll(/\s+/g, " ");

describe.each(Object.entries(publicPaths))("%s (%s) without any script", (name, path) => {
  const { title, isInCard = false } = publicPages[name as keyof typeof publicPages];

  test("has one heading, the brand, and a head that search engines can use", async () => {
    const html = await draw(path);
    expect(html.match(/<h1/g)).toHaveLength(1);
    expect(html).toContain(`<title>${title} - Ewebal</title>`);
    expect(html).toMatch(/<meta name="description" content="[^"]{30,}">/);
    expect(html).toContain(`<link rel="canonical" href="https://sms.example.com${path}">`);
    expect(html).toContain(`<meta property="og:url" content="https://sms.example.com${path}">`);
    expect(html).not.toContain("noindex");
    expect(readable(html)).toContain("Ewebal");
  });

  test("brings its own style sheets along, and no file of the entry twice", async () => {
    const html = await draw(path);
    for (const module of [pageModules.get(path), ...(isInCard ? frames.card : [])])
      expect(html).toContain(styleOf(module));
    expect(html).not.toContain("assets/shared.js");
  });

  test("runs no script of its own: what stands in it is data", async () => {
    const inline = [...(await draw(path)).matchAll(/<script(?![^>]* src=)([^>]*)>/g)].map(
      ([, attributes]) => attributes,
    );
    expect(inline.filter((attributes) => !/type="application\/(?:ld\+)?json"/.test(attributes ?? ""))).toEqual([]);
  });
});

test("the pages show the running brand, prices and links", async () => {
  const home = await draw("/");
  for (const text of ["3.00 naira", "1 Example Road, Lagos", "+234 800 000 0001", "support@example.com", "About Us"])
    expect(readable(home)).toContain(text);
  for (const link of [
    "/register",
    "/login",
    "/contact-us",
    "/pricings",
    "/pricing-rates",
    "/sms-api-page",
    "https://wa.me/2348000000001",
  ]) {
    expect(home).toContain(`href="${link}"`);
  }
  expect(readable(await draw("/pricings"))).toContain("Example Microfinance Bank");
  expect(readable(await draw("/pricings"))).toContain("₦3,000.00");
  expect(readable(await draw("/pricing-rates"))).toMatch(/Nigeria \+234 3\.00 Kenya \+254 5\.90/);
  expect(readable(await draw("/", { name: "Other", startingRate: 4.5 }))).toMatch(/Other.*4\.50 naira/);
});

test("a form that is sent before the browser has taken over sends nothing: it would write a password into the address", async () => {
  for (const path of ["/login", "/register", "/contact-us"])
    expect(await draw(path)).toMatch(/<form[^>]* method="dialog"/);
});

test("nothing in the configuration can end a block or become markup", async () => {
  const html = await draw("/", { name: "</script><b>A&B", address: '"><img src=x>' });
  expect(html).not.toContain("</script><b>");
  expect(html).not.toContain("<img src=x>");
  expect(html).toContain("<title>Bulk SMS for businesses - &lt;/script>&lt;b>A&amp;B</title>");
  const data = /<script id="page-data" type="application\/json">(.*?)<\/script>/.exec(html)?.[1] ?? "";
  expect(JSON.parse(data)).toMatchObject({ settings: { name: "</script><b>A&B" } });
});

test("only the pages that show them carry all rates", async () => {
  expect(await draw("/")).not.toContain("Kenya");
  expect(await draw("/pricings")).toContain('"country":"Kenya"');
});

test("an address without a page has one document for all, below a dashboard the plain one", async () => {
  const name = renderer.nameDocument("/nothing/here", false);
  expect(renderer.nameDocument("/login/nothing", false)).toBe(name);
  expect(readable(await draw(name))).toContain("Page Not Found");
  expect(await draw(name)).toMatch(/Go to Home.*/);
  expect(await draw(name)).toContain("noindex");
  expect(renderer.nameDocument("/user-dashboard/nothing", false)).toBe(
    renderer.nameDocument("/admin-dashboard/nothing", false),
  );
});

describe.each(pagePaths.filter((path) => /^\/(?:user|admin)-dashboard/.test(path)))(
  "%s before anything of its person is known",
  (path) => {
    const isAdmins = path.startsWith("/admin");

    test("has its menu, its heading and its files, and nothing that could be typed into", async () => {
      const html = await draw(renderer.nameDocument(path, true));
      expect(html).toContain(`<div id="root"><div class="outline" data-for="${isAdmins ? "admin" : "user"}" inert>`);
      expect(html).not.toContain("data-drawn");
      expect(html.match(/<h1/g)).toHaveLength(1);
      expect(readable(html)).toContain(isAdmins ? "Manage Users" : "SMS history");
      expect(html).not.toMatch(/<input|<textarea|<form|Loading your dashboard/);
      for (const module of [pageModules.get(path), ...frames[isAdmins ? "admin" : "user"]])
        expect(html).toContain(styleOf(module));
      expect(html).toContain("noindex");
    });
  },
);

test("a page below a dashboard that is none, or under a link with a token, is drawn by the browser, with the brand at hand", async () => {
  const html = await draw(renderer.nameDocument("/:token/verify-user", true));
  expect(html).toContain("app-loader");
  expect(html).toContain("<title>Ewebal</title>");
  expect(html).toContain("noindex");
  expect(html).toContain('id="page-data"');
  expect(html).not.toContain("data-drawn");
});
