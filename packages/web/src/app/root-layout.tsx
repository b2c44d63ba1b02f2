import { Outlet, useRouter, useRouterState } from "@tanstack/react-router";
import { useEffect } from "react";
import { Notices } from "../ui/feedback/notices.tsx";
import { OfflineBanner } from "../ui/feedback/offline-banner.tsx";
import { ProgressLine } from "../ui/feedback/progress-line.tsx";
import { useTitle } from "../ui/layout/use-title.ts";

/** What every page has: a way past the menus, the banner of a lost network, notices, and the focus where the page begins. */
export function RootLayout() {
  useFocusOnNavigation();
  const title = useRouterState({ select: ({ matches }) => matches.at(-1)?.staticData.title });
  return (
    <>
      <a href="#main" className="skip-link">
        Skip to content
      </a>
      {title !== undefined && <WindowTitle title={title} />}
      <ProgressLine />
      <OfflineBanner />
      <Outlet />
      <Notices />
    </>
  );
}

function WindowTitle({ title }: { title: string }) {
  useTitle(title);
  return null;
}

/**
 * Moves the focus to the new page's content, as a full page load would. Without it the keyboard stays on a link that is
 * gone, and a screen reader says nothing at all.
 */
function useFocusOnNavigation(): void {
  const router = useRouter();
  useEffect(
    () =>
      router.subscribe("onRendered", ({ fromLocation, toLocation }) => {
        if (fromLocation === undefined || fromLocation.pathname === toLocation.pathname) return;
        document.querySelector<HTMLElement>("#main")?.focus({ preventScroll: true });
      }),
    [router],
  );
}
