import { Button } from "@mantine/core";
import { IconArrowsExchange2 } from "@tabler/icons-react";
import { useSwitchMode } from "../lib/switch-mode.ts";
import classes from "./switch-mode-button.module.css";
import { showNotice } from "./notices.tsx";

interface SwitchModeButtonProps {
  /** Which dashboard it leads to. */
  to: "admin" | "user";
  /** Who is signed in now. */
  id: string;
}

/** From one dashboard to the other; stands in the top bar of who has both. */
export function SwitchModeButton({ to, id }: SwitchModeButtonProps) {
  const { mutate, isPending } = useSwitchMode(to, {
    onSwitched: (title) => showNotice({ title }),
    onError: ({ message }) => showNotice({ tone: "error", title: message }),
  });
  return (
    <Button
      size="xs"
      variant="default"
      loading={isPending}
      aria-label="Switch Mode"
      title={to === "admin" ? "To the admin dashboard" : "To the user dashboard"}
      leftSection={<IconArrowsExchange2 size={16} stroke={1.8} aria-hidden />}
      classNames={{ section: classes.icon ?? "", label: classes.label ?? "" }}
      onClick={() => mutate(id)}
    >
      Switch Mode
    </Button>
  );
}
