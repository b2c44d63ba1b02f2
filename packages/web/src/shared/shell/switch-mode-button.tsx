import { Button } from "@mantine/core";
import { IconArrowsExchange2 } from "@tabler/icons-react";
import { useId, useState, type ComponentType } from "react";
import { adminAccountCalls } from "@ewebal/contract/calls";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { ApiError, call } from "../../lib/api/api.ts";
import classes from "./switch-mode-button.module.css";
import { showNotice } from "../../ui/feedback/notices.tsx";
import type { SwitchDialogProps } from "./switch-dialog.tsx";
import { readTokenId, startAdminSession, startUserSession } from "../../lib/session/session.ts";

type SwitchModeButtonProps = {
  /** Which dashboard it leads to. */
  to: "admin" | "user";
  /** Who is signed in now. */
  id: string;
};

/** Switches to the other dashboard. Shown in the top bar to people who have both. */
export function SwitchModeButton({ to, id }: SwitchModeButtonProps) {
  // Fetched when it is needed: who signed in as an administrator never sees it.
  const [AskingDialog, setAskingDialog] = useState<ComponentType<SwitchDialogProps>>();
  const { mutate, mutateAsync, isPending } = useSwitchMode(to, {
    onSwitched: (title) => showNotice({ title }),
    onError: (error) => {
      if (error instanceof ApiError && error.code === "PASSWORD_REQUIRED") void ask();
      // The dialog shows what it was refused for.
      else if (AskingDialog === undefined) showNotice({ tone: "error", title: error.message });
    },
  });
  const targetId = useId();
  const target = to === "admin" ? "to the admin side" : "to the customer side";
  const ask = async (): Promise<void> => {
    const { SwitchDialog } = await import("./switch-dialog.tsx");
    setAskingDialog(() => SwitchDialog);
  };
  return (
    <>
      {AskingDialog !== undefined && (
        <AskingDialog
          switchWith={(password) => mutateAsync({ id, password })}
          onClose={() => setAskingDialog(undefined)}
        />
      )}
      <Button
        size="xs"
        h={36}
        variant="default"
        loading={isPending}
        aria-label="Switch Mode"
        aria-describedby={targetId}
        title={`Switch Mode ${target}`}
        leftSection={<IconArrowsExchange2 size={16} stroke={1.8} aria-hidden />}
        classNames={{ section: classes.icon ?? "", label: classes.label ?? "" }}
        onClick={() => mutate({ id })}
      >
        <span className={classes.lines}>
          Switch Mode
          <span id={targetId} className={classes.target} aria-hidden>
            {target}
          </span>
        </span>
      </Button>
    </>
  );
}

type SwitchOptions = {
  onSwitched: (message: string) => void;
  onError: (error: Error) => void;
};

/**
 * Goes to the other dashboard of who is customer and administrator. The browser's cookie is the other self's afterwards;
 * the shells see the change of session, here and in other tabs, and lead there.
 */
function useSwitchMode(to: "admin" | "user", { onSwitched, onError }: SwitchOptions) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async ({ id, password }: { id: string; password?: string }) =>
      to === "admin"
        ? await call(adminAccountCalls.switchToAdmin, {
            params: { userId: id },
            body: password === undefined ? undefined : { password },
          })
        : await call(adminAccountCalls.switchToUser, { params: { adminId: id } }),
    onSuccess: ({ message, data: token }) => {
      // What one self may read is not for the other.
      queryClient.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== "brand" });
      (to === "admin" ? startAdminSession : startUserSession)(readTokenId(token));
      onSwitched(message);
    },
    onError,
  });
}
