import type { ReactNode } from "react";
import { Stack } from "../../ui/layout/boxes.tsx";
import { useTitle } from "../../ui/layout/use-title.ts";

type ScreenHeadingProps = {
  title: string;
  children?: ReactNode;
};

/** The title and first sentence of a screen in the auth card; names the window too. */
export function ScreenHeading({ title, children }: ScreenHeadingProps) {
  useTitle(title);
  return (
    <Stack gap={6}>
      <h1>{title}</h1>
      {children !== undefined && <p className="muted">{children}</p>}
    </Stack>
  );
}
