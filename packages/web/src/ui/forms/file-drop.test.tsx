import { MantineProvider } from "@mantine/core";
import { fireEvent, render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test, vi } from "vitest";
import { FileDrop } from "./file-drop.tsx";

const file = new File(["08030000001"], "numbers.csv", { type: "text/csv" });

function show(onFile: (file: File) => void = vi.fn(), error?: string): HTMLInputElement {
  const { container } = render(
    <MantineProvider>
      <FileDrop label="Choose a file" accept=".csv" hint="CSV, up to 20 MB" onFile={onFile} error={error} />
    </MantineProvider>,
  );
  return container.querySelector("input") as HTMLInputElement;
}

test("the button says what may be chosen, and why the last file was not taken", () => {
  show(vi.fn(), "This is no CSV file");
  expect(screen.getByRole("button", { name: "Choose a file" })).toHaveAccessibleDescription(/CSV, up to 20 MB/);
  expect(screen.getByRole("alert")).toHaveTextContent("This is no CSV file");
});

test("the button opens the browser's file dialog, and the chosen file is taken, twice as well", async () => {
  const onFile = vi.fn();
  const input = show(onFile);
  const opened = vi.spyOn(input, "click");
  await userEvent.click(screen.getByRole("button", { name: "Choose a file" }));
  expect(opened).toHaveBeenCalledOnce();
  await userEvent.upload(input, file);
  await userEvent.upload(input, file);
  expect(onFile.mock.calls).toEqual([[file], [file]]);
});

test("a dropped file is taken, and a drop of nothing changes nothing", () => {
  const onFile = vi.fn();
  const box = show(onFile).parentElement as HTMLElement;
  fireEvent.dragOver(box);
  expect(box).toHaveAttribute("data-over");
  fireEvent.drop(box, { dataTransfer: { files: [] } });
  expect(box).not.toHaveAttribute("data-over");
  expect(onFile).not.toHaveBeenCalled();
  fireEvent.drop(box, { dataTransfer: { files: [file] } });
  expect(onFile).toHaveBeenCalledWith(file);
});
