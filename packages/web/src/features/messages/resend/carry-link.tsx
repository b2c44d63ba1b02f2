import { Button } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";

type CarryLinkProps = {
  to: string;
  /** Says which row it belongs to. */
  label: string;
  /** Hands over what the next page begins with. */
  onFollow: () => void;
  size?: "xs" | "sm";
  children: ReactNode;
};

/** A row's link to a form; opened in another tab, the form asks the server instead. */
export function CarryLink({ to, label, onFollow, size = "xs", children }: CarryLinkProps) {
  return (
    <Button
      size={size}
      variant="default"
      aria-label={label}
      renderRoot={(props) => <Link to={to} {...props} onClick={onFollow} />}
    >
      {children}
    </Button>
  );
}
