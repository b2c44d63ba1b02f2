import { describe, expect, test } from "vitest";
import { findForbiddenImports } from "./boundaries.ts";
import { readSourceFiles } from "./source-files.ts";

const check = (path: string, text: string) => findForbiddenImports([{ path, text }]);

describe("import rules", () => {
  test.each([
    ["packages/contract/src/x.ts", `import { readFileSync } from "node:fs";`],
    ["packages/contract/src/x.ts", `import { buildApp } from "@ewebal/server";`],
    ["packages/smpp/src/x.ts", `import { limits } from "@ewebal/contract";`],
    ["packages/server/src/db/x.ts", `import { holdUnits } from "../ledger/hold-units.ts";`],
    ["packages/server/src/ledger/x.ts", `import type {\n  App,\n} from "../http/app-type.ts";`],
    ["packages/server/src/features/accounts/x.ts", `import { listMessages } from "../messages/index.ts";`],
    ["packages/server/src/features/messages/send.ts", `import { x } from "../delivery/store.ts";`],
    ["packages/server/src/features/messages/routes.ts", `import { x } from "./store.ts";`],
    ["packages/server/src/features/messages/drafts/draft-routes.ts", `import { x } from "./draft-store.ts";`],
    [
      "packages/server/src/features/billing/payments/sandbox/sandbox-routes.ts",
      `import { x } from "../payment-store.ts";`,
    ],
    ["packages/server/src/features/delivery/carriers/smpp/smpp-carrier.ts", `import { x } from "../store.ts";`],
    ["packages/server/src/features/messages/history/list.ts", `import type { FastifyReply } from "fastify";`],
    ["packages/web/src/features/messages/x.tsx", `import { y } from "../accounts/y.ts";`],
    ["packages/web/src/ui/x.tsx", `export { y } from "../features/accounts/y.ts";`],
    ["packages/web/src/ui/kit/x.tsx", `import type { UserAnswer } from "@ewebal/contract";`],
    ["packages/web/src/ui/kit/x.tsx", `import { siteCalls } from "@ewebal/contract/calls";`],
    ["packages/web/src/ui/kit/x.tsx", `import { ratesQuery } from "../../shared/rates/rates.ts";`],
    ["packages/web/src/shared/rates/x.ts", `import { y } from "../../features/messages/y.ts";`],
    ["packages/web/src/lib/x.ts", `import { y } from "../shared/rates/rates.ts";`],
    ["packages/contract/src/calls/x.ts", `import { z } from "zod";`],
    [
      "packages/web/src/features/messages/x.tsx",
      `import { type SendBody, sendBody } from "@ewebal/contract/schemas/messages";`,
    ],
    ["packages/web/src/features/messages/x.tsx", `import { limits } from "@ewebal/contract";`],
    ["packages/web/src/lib/x.ts", `const fs = await import("node:fs");`],
  ])("%s is refused: %s", (path, text) => {
    expect(check(path, text)).toHaveLength(1);
  });

  test.each([
    ["packages/contract/src/x.ts", `import { z } from "zod";\nimport { segmentText } from "@ewebal/gsm";`],
    [
      "packages/server/src/features/messages/send.ts",
      `import { queueMessage } from "../delivery/index.ts";\nimport { holdUnits } from "../../ledger/index.ts";`,
    ],
    ["packages/server/src/features/messages/send.test.ts", `import { x } from "../delivery/store.ts";`],
    [
      "packages/web/src/features/messages/x.tsx",
      `import type { SendBody } from "@ewebal/contract";\nimport { limits } from "@ewebal/contract/rules";\nconst { sendBody } = await import("@ewebal/contract/schemas/messages");`,
    ],
    ["packages/web/src/ui/kit/x.tsx", `import { limits } from "@ewebal/contract/rules";`],
    ["packages/web/src/features/messages/x.tsx", `import { ratesQuery } from "../../shared/rates/rates.ts";`],
    ["packages/web/src/app/router.tsx", `import { LoginPage } from "../features/accounts/login-page.tsx";`],
  ])("%s is allowed: %s", (path, text) => {
    expect(check(path, text)).toEqual([]);
  });

  test("the whole tree keeps the table", () => {
    const files = readSourceFiles(/^packages\/[^/]+\/.*\.tsx?$/);
    expect(files.length).toBeGreaterThan(10);
    expect(findForbiddenImports(files)).toEqual([]);
  });
});
