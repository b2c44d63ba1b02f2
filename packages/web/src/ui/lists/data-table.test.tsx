import { MantineProvider } from "@mantine/core";
import { render, screen, within } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { DataTable, type Column } from "./data-table.tsx";

type Bill = {
  id: string;
  payer: string;
  naira: number;
};

const columns: Column<Bill>[] = [
  { title: "Payer", cell: ({ payer }) => payer, isHeading: true },
  { title: "Amount", cell: ({ naira }) => naira, isNumeric: true },
  { title: "Open", cell: ({ payer }) => <button type="button">Open {payer}</button>, isActions: true },
];
const rows: Bill[] = [{ id: "1", payer: "Blue Shop", naira: 500 }];

function showAt(isWide: boolean): void {
  vi.spyOn(window, "matchMedia").mockImplementation(
    (query) =>
      ({
        matches: isWide,
        media: query,
        addEventListener: vi.fn(),
        removeEventListener: vi.fn(),
      }) as unknown as MediaQueryList,
  );
  render(
    <MantineProvider>
      <DataTable caption="Bills" columns={columns} rows={rows} rowKey={({ id }) => id} />
    </MantineProvider>,
  );
}

afterEach(() => vi.restoreAllMocks());

test("a wide screen has a real table with named columns", () => {
  showAt(true);
  const table = screen.getByRole("table", { name: "Bills" });
  expect(
    within(table)
      .getAllByRole("columnheader")
      .map(({ textContent }) => textContent),
  ).toEqual(["Payer", "Amount", "Open"]);
  expect(within(table).getByRole("cell", { name: "500" })).toBeInTheDocument();
});

test("a narrow screen has a card for each row, with every value beside its name", () => {
  showAt(false);
  const card = within(screen.getByRole("list", { name: "Bills" })).getByRole("listitem");
  expect(within(card).getByText("Blue Shop")).toBeInTheDocument();
  expect(within(card).getByRole("term")).toHaveTextContent("Amount");
  expect(within(card).getByRole("definition")).toHaveTextContent("500");
  expect(within(card).getByRole("button", { name: "Open Blue Shop" })).toBeInTheDocument();
});
