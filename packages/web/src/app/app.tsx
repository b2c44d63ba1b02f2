import { durationsMs } from "@ewebal/contract";
import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { brandQuery } from "../lib/brand.ts";
import { fixedTexts } from "../lib/fixed-texts.ts";
import { createQueryClient } from "../lib/query.ts";
import { leaveSession } from "../lib/sign-out.ts";
import { ErrorBoundary } from "../ui/error-boundary.tsx";
import { FallbackPage } from "../ui/fallback-page.tsx";
import { showNotice } from "../ui/notices.tsx";
import { ThemeProvider } from "../ui/theme/theme-provider.tsx";
import { createAppRouter } from "./router.tsx";

const queryClient = createQueryClient(onSessionLost);
const router = createAppRouter(queryClient);
// Asked for before React has drawn anything; index.html preloads the same answer.
void queryClient.prefetchQuery(brandQuery);

/** The server no longer knows the session. The guards of the dashboards see the empty session and lead to the login. */
function onSessionLost(): void {
  if (leaveSession(queryClient, "inactive") === null) return;
  showNotice({ tone: "info", title: fixedTexts.inactive, durationMs: durationsMs.logoutNotice });
}

/** The product: everything that stands round the pages. */
export function App() {
  return (
    <QueryClientProvider client={queryClient}>
      <ThemeProvider>
        <ErrorBoundary fallback={<FallbackPage />}>
          <RouterProvider router={router} />
        </ErrorBoundary>
      </ThemeProvider>
    </QueryClientProvider>
  );
}
