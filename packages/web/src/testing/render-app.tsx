import { QueryClientProvider } from "@tanstack/react-query";
import { createMemoryHistory, RouterProvider } from "@tanstack/react-router";
import { render, type RenderResult } from "@testing-library/react";
import { Branded } from "../app/app.tsx";
import { createAppRouter } from "../app/router.tsx";
import { createQueryClient } from "../lib/api/query.ts";
import { leaveSession } from "../lib/session/session.ts";
import { ThemeProvider } from "../ui/theme/theme-provider.tsx";
import { fakeEventSource } from "./fake-event-source.ts";

export type RenderedApp = {
  /** Where the app is now. */
  pathname: () => string;
} & RenderResult;

/** Renders the whole product at an address, as a browser that opens it. The server is the test's (`fakeServer`). */
export function renderApp(address: string): RenderedApp {
  fakeEventSource();
  const queryClient = createQueryClient(() => leaveSession(queryClient, "inactive"));
  const router = createAppRouter(queryClient, createMemoryHistory({ initialEntries: [address] }));
  const rendered = render(
    <QueryClientProvider client={queryClient}>
      <ThemeProvider env="test">
        <Branded>
          <RouterProvider router={router} />
        </Branded>
      </ThemeProvider>
    </QueryClientProvider>,
  );
  return { ...rendered, pathname: () => router.state.location.pathname };
}
