import { QueryClientProvider, useQuery, type QueryClient } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { StrictMode, type ReactNode } from "react";
import { BrandProvider } from "../lib/brand.ts";
import { ErrorBoundary } from "../ui/feedback/error-boundary.tsx";
import { FallbackPage } from "../ui/feedback/fallback-page.tsx";
import { ThemeProvider } from "../ui/theme/theme-provider.tsx";
import { brandQuery } from "./page-data.ts";
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
          <Branded>
            <ErrorBoundary fallback={<FallbackPage />}>
              <RouterProvider router={router} />
            </ErrorBoundary>
          </Branded>
        </ThemeProvider>
      </QueryClientProvider>
    </StrictMode>
  );
}

/** Fetches the brand for what stands in it. */
export function Branded({ children }: { children: ReactNode }) {
  return <BrandProvider value={useQuery(brandQuery).data}>{children}</BrandProvider>;
}
