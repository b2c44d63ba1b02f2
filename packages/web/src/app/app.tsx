import { QueryClientProvider, type QueryClient } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { StrictMode } from "react";
import { ErrorBoundary } from "../ui/feedback/error-boundary.tsx";
import { FallbackPage } from "../ui/feedback/fallback-page.tsx";
import { ThemeProvider } from "../ui/theme/theme-provider.tsx";
import type { AppRouter } from "./router.tsx";

type AppProps = {
  queryClient: QueryClient;
  router: AppRouter;
};

/** The product: everything that stands round the pages. The server draws the same for its documents. */
export function App({ queryClient, router }: AppProps) {
  return (
    <StrictMode>
      <QueryClientProvider client={queryClient}>
        <ThemeProvider>
          <ErrorBoundary fallback={<FallbackPage />}>
            <RouterProvider router={router} />
          </ErrorBoundary>
        </ThemeProvider>
      </QueryClientProvider>
    </StrictMode>
  );
}
