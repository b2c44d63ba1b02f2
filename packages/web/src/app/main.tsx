import "../ui/styles/public.css";
import { durationsMs } from "@ewebal/contract/rules";
import { startTransition } from "react";
import { createRoot, hydrateRoot } from "react-dom/client";
import { userQuery } from "../shared/account/current-user.ts";
import { fixedTexts } from "../lib/texts/fixed-texts.ts";
import { brandQuery, keepPageData, readPageData } from "./page-data.ts";
import { formatUnits } from "../lib/texts/format.ts";
import { createQueryClient } from "../lib/api/query.ts";
import { getSession, leaveSession } from "../lib/session/session.ts";
import { showNotice } from "../ui/feedback/notices.tsx";
import { App } from "./app.tsx";
import { createAppRouter } from "./router.tsx";

// zod would try `new Function`, which the CSP refuses and the browser reports as an error. It is fetched later than this runs.
Object.assign(globalThis, { __zod_globalConfig: { jitless: true } });

const queryClient = createQueryClient(onSessionLost);
const router = createAppRouter(queryClient);

/** The server no longer knows the session. The guards of the dashboards see the empty session and lead to the login. */
function onSessionLost(): void {
  if (leaveSession(queryClient, "inactive") === null) return;
  showNotice({ tone: "info", title: fixedTexts.inactive, durationMs: durationsMs.logoutNotice });
}

async function prefetchAdmin(adminId: string): Promise<void> {
  const { adminQuery } = await import("../shared/account/current-admin.ts");
  await queryClient.prefetchQuery(adminQuery(adminId));
}

async function start(root: Element): Promise<void> {
  const data = readPageData();
  // Without it, asked for before React has drawn anything; the plain document preloads the same answer.
  if (data === undefined) void queryClient.prefetchQuery(brandQuery);
  else keepPageData(queryClient, data);
  // What every dashboard shows is under way while the page's module is fetched.
  const { userId, adminId } = getSession();
  if (userId !== null) void queryClient.prefetchQuery(userQuery(userId));
  else if (adminId !== null) void prefetchAdmin(adminId);
  // A phone takes 50 ms for its first number format; while modules are on their way, nobody waits for them.
  if (userId !== null || adminId !== null) setTimeout(() => formatUnits(0));
  const app = <App queryClient={queryClient} router={router} />;
  // The page's own module must be there before the first drawing, or the server's markup would give way to an empty page.
  await router.load();
  if (!root.hasAttribute("data-drawn")) {
    // In slices, so that the page answers a finger meanwhile.
    startTransition(() => createRoot(root).render(app));
    return;
  }
  // Tells the router that its first drawing lies over the server's, which has no boundary of waiting round it.
  router.ssr = { manifest: undefined };
  hydrateRoot(root, app);
}

const root = document.querySelector("#root");
if (root === null) throw new Error("index.html has no #root");
await start(root);
