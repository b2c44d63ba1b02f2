import { pagePaths } from "@ewebal/contract";
import { QueryClient } from "@tanstack/react-query";
import { createMemoryHistory } from "@tanstack/react-router";
import { screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { paths } from "../lib/paths.ts";
import { startUserSession } from "../lib/session/session.ts";
import { fakeServer, userAnswer, userId } from "../testing/fake-server.ts";
import { renderApp } from "../testing/render-app.tsx";
import { createAppRouter } from "./router.tsx";

const router = createAppRouter(new QueryClient(), createMemoryHistory());
const example = (path: string): string => path.replaceAll(/[:$][A-Za-z]+/g, "x");

/** @returns whether an address leads to a page of its own. */
function isPage(address: string): boolean {
  const [, , foundRoute] = router.getMatchedRoutes(address);
  // An unknown address below a layout finds the layout.
  return foundRoute !== undefined && foundRoute.children === undefined;
}

/** The server draws these two itself. */
const drawnElsewhere: readonly string[] = [paths.mailbox, paths.apiReference];
const linked = Object.values(paths).filter((path) => !drawnElsewhere.includes(path));

test("the router knows what is no page", () => {
  expect(isPage("/nothing/here")).toBe(false);
  expect(isPage("/user-dashboard/nothing")).toBe(false);
});

test.each(linked)("%s, which links lead to, is a page", (path) => {
  expect(isPage(path)).toBe(true);
});

test.each(pagePaths)("%s, which the server answers with the pages' document, is a page", (path) => {
  expect(isPage(example(path))).toBe(true);
});

test("every page of the router is one that the server knows", () => {
  const shape = (path: string): string => path.replaceAll(/[:$][A-Za-z]+/g, "*").replace(/(?<=.)\/$/, "");
  const known = new Set(pagePaths.map(shape));
  const pages = Object.values(router.routesById).filter(({ children }) => children === undefined);
  expect(pages.map(({ fullPath }) => shape(fullPath)).filter((path) => !known.has(path))).toEqual([]);
  expect(pages.length).toBeGreaterThan(20);
});

test("an unknown address shows Page Not Found with the way home", async () => {
  fakeServer({});
  renderApp("/nothing/here");
  expect(await screen.findByRole("heading", { name: "Page Not Found" })).toBeVisible();
  expect(screen.getByRole("link", { name: "Go to Home" })).toHaveAttribute("href", "/");
});

test.each(linked.filter((path) => path.startsWith(paths.dashboard)))(
  "a visitor of %s is led to the login",
  async (path) => {
    fakeServer({});
    const { pathname } = renderApp(path);
    expect(await screen.findByRole("heading", { name: "Login" })).toBeVisible();
    expect(pathname()).toBe("/login");
  },
);

test("a customer whose session is over on the server is led to the login", async () => {
  startUserSession(userId);
  fakeServer({
    [`GET /api/${userId}/view-one-user`]: { status: 401, body: { message: "Please sign in", code: "AUTH_REQUIRED" } },
  });
  renderApp("/user-dashboard");
  expect(await screen.findByRole("heading", { name: "Login" })).toBeVisible();
  expect(localStorage).toHaveLength(0);
});

test("a signed-in customer sees the summary", async () => {
  startUserSession(userId);
  fakeServer({ [`GET /api/${userId}/view-one-user`]: { body: userAnswer } });
  renderApp("/user-dashboard");
  expect(await screen.findByRole("heading", { name: "Basement" })).toBeVisible();
});
