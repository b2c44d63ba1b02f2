import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Of each layer, the longest first: what begins last alone keeps one core idle until it ends. */
const slowFiles = [
  "engine/crash-table",
  "outcomes/reports",
  "upload/file-kinds",
  "src/killed-start",
  "src/start-embedded-postgres",
  "kept/read-carriers",
  "engine/smpp-delivery",
  "engine/two-workers",
  "bounds/hostile-texts",
  "send/send",
  "compose/send-outcomes",
  "compose/send-sms-page",
  "tools/patterns",
  "dashboard/sending-panels",
  "src/several-hosts",
  "src/hostile-clients",
  "src/two-windows",
  "src/pages",
  "src/faults",
  "faults/seeded-run",
  "src/shop-owner-day",
  "src/smpp-access",
  "src/start",
  "src/upgrade",
  "src/deposit",
  "src/service",
];

/** The browser tests of `sharedBrowserTest`. They run last in their layer, so that the product they share does not stand idle while others run. */
const sharingFiles = [
  "sessions",
  "catalogue-texts",
  "keyboard-only",
  "site",
  "admin-journey",
  "admin-catalogue-texts",
  "contacts",
  "card-purchase",
  "windows-agree",
  "personal-send",
  "testing/browser",
];

/** A process goes on with the modules that it has read while the files are those of one project. */
const projects = [
  "embedded-postgres",
  "server",
  "web",
  "web-logic",
  "smpp",
  "simulator",
  "gsm",
  "contract",
  "client",
  "tools",
];

class SlowFilesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId, project }: TestSpecification): number => {
      const sharing = sharingFiles.findIndex((name) => moduleId.endsWith(`/e2e/src/${name}.test.ts`));
      if (sharing !== -1) return slowFiles.length + 1 + sharing;
      const index = slowFiles.findIndex((name) => moduleId.includes(`/${name}.test.ts`));
      return projects.indexOf(project.name) * 100 + (index === -1 ? slowFiles.length : index);
    };
    // oxlint-disable-next-line unicorn/no-array-sort -- not an array.
    const sorted = await super.sort(files);
    return sorted.toSorted((one, other) => place(one) - place(other));
  }
}

/** One project a package (server and pages have two, the browser tests two), so that `npx vitest --project gsm` is the inner loop and `npm test` runs them all. */
export default defineConfig({
  test: {
    projects: [
      "packages/*/vitest.config.ts",
      "packages/server/vitest.statements.config.ts",
      "packages/web/vitest.logic.config.ts",
      "packages/e2e/vitest.alone.config.ts",
      "tools/vitest.config.ts",
    ],
    // Two cores: more workers only make the timing-sensitive suites wait for each other.
    maxWorkers: 2,
    sequence: { sequencer: SlowFilesFirst },
  },
});
