import { render, screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { Inline, Stack, Tiles } from "./boxes.tsx";

test("a box is a div with the classes of its distances", () => {
  render(
    <Stack gap={16} above={20} align="start" className="muted">
      <span>one</span>
    </Stack>,
  );
  expect(screen.getByText("one").parentElement?.outerHTML).toBe(
    '<div class="stack stack-start gap-16 above-20 muted"><span>one</span></div>',
  );
});

test("a box is the element that is asked for, with all that the element takes", () => {
  render(
    <Inline as="ul" gap={0} across={12} wraps justify="between" aria-label="Names">
      <li>Ada</li>
    </Inline>,
  );
  const list = screen.getByRole("list", { name: "Names" });
  expect([...list.classList]).toEqual(["inline", "justify-between", "wraps", "across-12"]);
});

test("rows have lines between them; tiles have a least width and keep a style of their own", () => {
  render(
    <Stack as="ul" divided={12} aria-label="Rows">
      <Tiles as="li" min={240} style={{ order: 1 }} />
    </Stack>,
  );
  expect(screen.getByRole("list").className).toBe("stack divided-12");
  expect(screen.getByRole("listitem").getAttribute("style")).toBe("order: 1; --tile: 240px;");
});
