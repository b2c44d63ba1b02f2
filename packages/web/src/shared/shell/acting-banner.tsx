import { Button } from "@mantine/core";
import type { UserAnswer } from "@ewebal/contract";
import { formatTimeOfDay } from "../../lib/texts/format.ts";
import classes from "../../ui/feedback/banner.module.css";
import { showNotice } from "../../ui/feedback/notices.tsx";
import { Inline } from "../../ui/layout/boxes.tsx";
import { useSwitchMode } from "./switch-mode-button.tsx";

/** Over every page while an administrator looks at a customer's account, which is never mistaken for one's own. */
export function ActingBanner({ user }: { user: UserAnswer | undefined }) {
  const { mutate, isPending } = useSwitchMode("admin", {
    onSwitched: (title) => showNotice({ title }),
    onError: (error) => showNotice({ tone: "error", title: error.message }),
  });
  if (user?.acting === undefined) return null;
  return (
    <Inline
      gap={4}
      across={12}
      wraps
      align="center"
      justify="center"
      className={`${classes.banner} small`}
      data-tone="error"
      role="status"
    >
      <span>
        You see the account of {user.userName} until {formatTimeOfDay(user.acting.endsAt)}, and can change nothing
      </span>
      <Button size="compact-xs" variant="default" loading={isPending} onClick={() => mutate({ id: user._id })}>
        Leave
      </Button>
    </Inline>
  );
}
