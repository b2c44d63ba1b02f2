import { Modal } from "@mantine/core";
import { useEffect, useSyncExternalStore, type ReactNode } from "react";
import { Inline } from "../layout/boxes.tsx";
import classes from "./dialog.module.css";
import { useReturnedFocus } from "./use-returned-focus.ts";

type DialogProps = {
  opened: boolean;
  onClose: () => void;
  title: string;
  size?: "sm" | "md" | "lg";
  /** Lies over every other dialog and has the keys for itself, as a question does that one of them asks. */
  isOnTop?: boolean;
  children: ReactNode;
};

const ON_TOP_Z_INDEX = 300;
/** Fades and stands still: a button that slides 30 px while it is pressed is missed by the end of the press. */
const TRANSITION = { duration: 200, transition: "fade" } as const;
let onTopCount = 0;
const listeners = new Set<() => void>();

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Says that a dialog lies on top, as long as one does. */
function useLieOnTop(isLying: boolean): void {
  useEffect(() => {
    if (!isLying) return undefined;
    const count = (change: 1 | -1): void => {
      onTopCount += change;
      for (const listener of listeners) listener();
    };
    count(1);
    // Later: the key that closed it is still on its way to the dialogs below.
    return () => void window.setTimeout(() => count(-1));
  }, [isLying]);
}

/**
 * A dialog over the page. Put together here because the library's own draws its title in a `header`, which screen readers
 * would announce as the page's second banner.
 */
export function Dialog({ opened, onClose, title, size = "md", isOnTop = false, children }: DialogProps) {
  useLieOnTop(opened && isOnTop);
  const ref = useReturnedFocus<HTMLDivElement>(opened);
  const isCovered =
    useSyncExternalStore(
      subscribe,
      () => onTopCount > 0,
      () => false,
    ) && !isOnTop;
  return (
    <Modal.Root
      ref={ref}
      returnFocus={false}
      opened={opened}
      onClose={onClose}
      size={size}
      centered
      closeOnEscape={!isCovered}
      transitionProps={TRANSITION}
      zIndex={isOnTop ? ON_TOP_Z_INDEX : undefined}
    >
      <Modal.Overlay backgroundOpacity={0.5} />
      <Modal.Content radius="lg">
        <Inline gap={16} align="center" justify="between" className={classes.top}>
          <Modal.Title className={classes.title}>{title}</Modal.Title>
          <Modal.CloseButton aria-label="Close" />
        </Inline>
        <Modal.Body className={classes.body}>{children}</Modal.Body>
      </Modal.Content>
    </Modal.Root>
  );
}
