import { Button } from "@mantine/core";
import { IconArrowsExchange2 } from "@tabler/icons-react";
import { useState, type ComponentType } from "react";
import { ApiError } from "../../lib/api/api.ts";
import { useSwitchMode } from "./switch-mode.ts";
import classes from "./switch-mode-button.module.css";
import { showNotice } from "../../ui/feedback/notices.tsx";
import type { SwitchDialogProps } from "./switch-dialog.tsx";

type SwitchModeButtonProps = {
  /** Which dashboard it leads to. */
  to: "admin" | "user";
  /** Who is signed in now. */
  id: string;
};

/** From one dashboard to the other; stands in the top bar of who has both. */
export function SwitchModeButton({ to, id }: SwitchModeButtonProps) {
  const { mutate, isPending } = useSwitchMode(to, {
    onSwitched: (title) => showNotice({ title }),
    onError: (error) => {
      if (error instanceof ApiError && error.code === "PASSWORD_REQUIRED") void ask();
      else showNotice({ tone: "error", title: error.message });
    },
  });
  // Fetched when it is needed: who signed in as an administrator never sees it.
  const [AskingDialog, setAskingDialog] = useState<ComponentType<SwitchDialogProps>>();
  const ask = async (): Promise<void> => {
    const { SwitchDialog } = await import("./switch-dialog.tsx");
    setAskingDialog(() => SwitchDialog);
  };
  return (
    <>
      {AskingDialog !== undefined && <AskingDialog id={id} onClose={() => setAskingDialog(undefined)} />}
      <Button
        size="xs"
        variant="default"
        loading={isPending}
        aria-label="Switch Mode"
        title={to === "admin" ? "To the admin dashboard" : "To the user dashboard"}
        leftSection={<IconArrowsExchange2 size={16} stroke={1.8} aria-hidden />}
        classNames={{ section: classes.icon ?? "", label: classes.label ?? "" }}
        onClick={() => mutate({ id })}
      >
        Switch Mode
      </Button>
    </>
  );
}
