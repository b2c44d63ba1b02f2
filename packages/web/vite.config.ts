import { readFileSync } from "node:fs";
import { join } from "node:path";
import { defineConfig, type Plugin } from "vite";
import react from "@vitejs/plugin-react";

const apiAddress = process.env["EWEBAL_API"] ?? "http://127.0.0.1:8080";

/** The contract's modules only describe; one that nobody asks for stays out, and zod (23 kB) with it. */
const treeshake = { moduleSideEffects: [{ test: /packages\/(contract|gsm)\//, sideEffects: false }] };

/**
 * Left alone, the bundler makes a file of whatever two pages share, and a first visit to `/login` fetched 57 files, one to a
 * dashboard 70. What every page needs anyway lies in three files, and the fields and buttons of forms in a fourth: 19 files, and 6 to 8 kB (brotli)
 * less, because small files compress badly. What opens over a page and what stands round every signed-in page are two more, and
 * the small things that pages of one kind share another four: a visit to the history fetched 38 scripts before, and 18 since.
 * A group takes in what any page needs of it with all that it needs itself, so these name what all pages of their kind share,
 * and nothing else; the budgets in `testing/bundle-budget.test.ts` hold them to it.
 */
const groups = [
  // React changes only with its version, so it lies in a file that stays cached over releases.
  { name: "react", test: /node_modules\/(?:react|react-dom|scheduler)\//, priority: 6 },
  {
    name: "tanstack",
    test: /node_modules\/@tanstack\/(?!react-virtual|virtual-core|.*(?:[iI]nfinite|useMutation|mutationObserver|useQueries|queriesObserver))/,
    priority: 5,
  },
  {
    name: "base",
    test: /src\/lib\/(?:[a-z]+\/)?(?:activity|api|brand|fixed-texts|format|hydration|paths|query|session|tab-storage)\.|src\/app\/page-data\.|src\/shared\/(?:account\/current-user|rates\/rates)\.|src\/ui\/(?:theme\/|(?:feedback|kit|layout)\/(?:banner|boxes|brand-heading|error-boundary|fallback-page|notices|offline-banner|progress-line|use-title))|contract\/src\/(?:limits|pages|calls\/(?:accounts|site))|MantineProvider|preload-helper/,
    priority: 4,
  },
  {
    name: "controls",
    test: /src\/lib\/browser\/use-early-input\.|src\/ui\/(?:forms|kit)\/(?:callout|fields|links)\.|@mantine\/hooks\/esm\/(?:use-merged-ref|use-uncontrolled|utils)\/|@mantine\/core\/esm\/core\/utils\/|@mantine\/core\/esm\/components\/(?:Button|CloseButton|Input|InputBase|Loader|TextInput|UnstyledButton)\//,
    priority: 3,
  },
  // What forms alone need, apart from the fields: the pages of prices have fields without a form.
  {
    name: "forms",
    test: /src\/ui\/(?:feedback\/refusal|forms\/(?:form|submit-button))\.|src\/shared\/account\/screen-heading|lib\/texts\/catalogue-texts|useMutation|mutationObserver/,
    priority: 2,
  },
  // Before the frame, too: somebody who changes a password has none round the page.
  {
    name: "sign-out",
    test: /src\/shared\/(?:second-factor\/second-factor-host|sessions\/use-sign-out)\./,
    priority: 2,
  },
  // Prices are asked for by strangers, and by messages for what they cost.
  { name: "units", test: /contract\/src\/rules\/money\/units\./, priority: 2 },
  // An administrator signs in without a frame, too.
  { name: "admin-calls", test: /contract\/src\/calls\/admin\./, priority: 2 },
  {
    name: "popups",
    test: /@mantine\/core\/esm\/components\/(?:Combobox|Popover|ScrollArea|Transition)\//,
    priority: 2,
  },
  {
    name: "frame",
    test: /src\/ui\/(?:dialogs|kit|layout|lists|navigation)\/(?:columns|confirm|data-table|detail-list|dialog|list-states|list-tools|page|panel|relative-time|shortcuts|show-more|side-menu|stat-card|printing)\.|src\/shared\/shell\/(?:balance-pill|person-badge|shell|simulator-banner|switch-mode-button)\.|src\/shared\/(?:announcements\/announcements|billing\/deposits)\.|src\/lib\/(?:api\/use-cursor-list|session\/(?:events|inactivity))\.|@mantine\/core\/esm\/components\/(?:ActionIcon|Badge|Burger|Drawer|Modal|ModalBase|Overlay|Paper|Skeleton)\/|infiniteQueryOptions|icons\/Icon(?:Clock|ListDetails|Messages|Plus|Printer|ShieldCheck|Speakerphone|Trash|UserPlus|Users)\./,
    priority: 1,
  },
  { name: "search", test: /src\/(?:ui\/forms\/search-field|lib\/browser\/use-address-filters)/, priority: 0 },
  // Before the frame, which would take those along that it draws as well, and be needed by the home page then.
  {
    name: "icons",
    test: /icons\/Icon(?:AddressBook|ArrowsExchange|Check|CreditCard|Download|History|Pencil|Send)\./,
    priority: 2,
  },
  {
    name: "messages",
    test: /src\/features\/messages\/(?:resend\/)?(?:carry-link|message-counts|message-progress|message-queries)/,
    priority: 0,
  },
  // What every page that composes begins with. What other pages need of it as well is left to the bundler: named here, it would take its own
  // needs along to the pages of strangers.
  {
    name: "compose",
    includeDependenciesRecursively: false,
    test: /src\/features\/messages\/(?:compose\/(?!send-sms|send-refusal)|personal\/(?:load-personal-parts|personal-send)|recipients\/(?:recipients-(?:field|reader)|other-sources|use-file)|text\/message-field)/,
    priority: 0,
  },
  {
    name: "admin",
    test: /src\/features\/admin\/customers/,
    priority: 0,
  },
  // The list of scheduled messages says when they go; it needs nothing else of the composer.
  { name: "schedule", test: /features\/messages\/scheduled\/(?:repeat-words|schedule)\./, priority: 3 },
];

/** Where the rules of the charts that we draw have their classes; a test holds the list to what the pages import. */
export const chartStyles = [
  "grid-chart.module.mjs",
  "ChartBrush/ChartBrush.module.mjs",
  "ChartLegend/ChartLegend.module.mjs",
  "ChartTooltip/ChartTooltip.module.mjs",
];

/**
 * The library's charts have one style sheet for all their kinds, of which the overview draws two. Rules whose every class belongs to
 * the others stay out: 2 kB (brotli) of 300.
 */
function keepChartStyles(): Plugin {
  const folder = join(import.meta.dirname, "../../node_modules/@mantine/charts/esm");
  const kept = new Set(
    chartStyles.flatMap((file) => readFileSync(join(folder, file), "utf8").match(/\bm_[0-9a-f]+\b/g) ?? []),
  );
  return {
    name: "keep-chart-styles",
    enforce: "pre",
    transform: (css, id) => {
      if (!id.includes("@mantine/charts/styles")) return undefined;
      const code = css.replace(/[^{};]+\{[^{}]*\}/g, (rule) => {
        const classes = rule.slice(0, rule.indexOf("{")).match(/\bm_[0-9a-f]+\b/g) ?? [];
        return classes.length > 0 && !classes.some((name) => kept.has(name)) ? "" : rule;
      });
      return { code, map: null };
    },
  };
}

type Replacement = { source: string; importer: RegExp; code: string };

/** @param replacements modules of the libraries by how their path ends, and what their importers get instead. */
function replaceModules(name: string, replacements: readonly Replacement[]): Plugin {
  const prefix = `\0${name}:`;
  return {
    name,
    enforce: "pre",
    resolveId: (source, importer = "") => {
      const index = replacements.findIndex((part) => source.endsWith(part.source) && part.importer.test(importer));
      return index === -1 ? undefined : prefix + index;
    },
    load: (id) => (id.startsWith(prefix) ? replacements[Number(id.slice(prefix.length))]?.code : undefined),
  };
}

/** What no page draws, though its component brings it along. A test holds the sources to it. */
export const droppedParts = [
  { component: "Button", part: "ButtonGroup" },
  { component: "Button", part: "ButtonGroupSection" },
  { component: "ActionIcon", part: "ActionIconGroup" },
  { component: "ActionIcon", part: "ActionIconGroupSection" },
  { component: "Combobox", part: "ComboboxFooter" },
  { component: "Combobox", part: "ComboboxHeader" },
  { component: "Popover", part: "PopoverContextMenu" },
];

/**
 * What the library draws beside what we use of it: 2 kB (brotli) of every page with a button, 4 of every signed-in page. A button's
 * loader appears at once, instead of sliding in.
 */
const dropUnusedParts = replaceModules("drop-unused-parts", [
  ...droppedParts.map(({ component, part }) => ({
    source: `/${part}.mjs`,
    importer: new RegExp(`/${component}/${component}\\.mjs$`),
    code: `export const ${part} = undefined;`,
  })),
  {
    source: "/Transition.mjs",
    importer: /\/Button\/Button\.mjs$/,
    code: "export const Transition = ({ mounted, transition, children }) => (mounted ? children(transition.in) : null);",
  },
  // What points from a pop-up to what opened it.
  {
    source: "/FloatingArrow.mjs",
    importer: /\/PopoverDropdown\.mjs$/,
    code: "export const FloatingArrow = () => null;",
  },
  {
    source: "/get-arrow-position-styles.mjs",
    importer: /\/PopoverDropdown\.mjs$/,
    code: "export const getArrowMergeDropdownStyles = () => undefined;",
  },
  // A stand-in for older versions of React.
  {
    source: "use-sync-external-store/shim",
    importer: /use-sync-external-store/,
    code: `export { useSyncExternalStore } from "react";`,
  },
]);

/**
 * The charts reach by name for any of 28 scales, times and colours with them, and bring a brush and marks along that we never draw. Ours
 * have days in words along one side and numbers along the other. 12 kB (brotli) of the overview's 300.
 */
const dropUnusedChartParts = replaceModules("drop-unused-chart-parts", [
  {
    source: "victory-vendor/d3-scale",
    importer: /recharts\/es6\/state\//,
    code: `export { scaleBand, scaleLinear, scalePoint } from "d3-scale";`,
  },
  { source: "ChartBrush.mjs", importer: /@mantine\/charts\//, code: "export const ChartBrush = () => null;" },
  ...["ReferenceArea", "ReferenceDot", "ReferenceLine"].map((part) => ({
    source: `/${part}`,
    importer: /recharts\/es6\/index\.js$/,
    code: `export const ${part} = () => null;`,
  })),
]);

/** Which role may make a call is the server's to know; no page reads it. */
const dropRolesOfCalls: Plugin = {
  name: "drop-roles-of-calls",
  transform: (code, id) =>
    id.includes("/contract/src/calls/") ? code.replaceAll(/,\s*leastRole: "\w+"/g, "") : undefined,
};

/** @param isSsrBuild for the build of what makes the documents on the server. */
export default defineConfig(({ isSsrBuild }) => ({
  root: import.meta.dirname,
  plugins: [react(), keepChartStyles(), dropUnusedParts, dropUnusedChartParts, dropRolesOfCalls],
  // Whole, so that the server finds one module in place of the libraries' thousands.
  ssr: { noExternal: true },
  // Left alone, the server draws documents with the libraries' development builds, which check everything as they go.
  ...(isSsrBuild === true && { define: { "process.env.NODE_ENV": JSON.stringify("production") } }),
  build: {
    outDir: "dist/client",
    target: "es2023",
    copyPublicDir: isSsrBuild !== true,
    // Nothing becomes a data: address, so the CSP needs no exception for one.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      treeshake,
      // The entry carries the names of all files, so these are short.
      output:
        isSsrBuild === true
          ? {}
          : {
              codeSplitting: { groups },
              entryFileNames: "assets/[hash].js",
              chunkFileNames: "assets/[hash].js",
              assetFileNames: "assets/[hash][extname]",
            },
    },
  },
  worker: { format: "es", rolldownOptions: { treeshake } },
  server: { host: "127.0.0.1", proxy: { "/api": apiAddress, "/mailbox": apiAddress } },
}));
