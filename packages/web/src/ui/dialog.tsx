import { Modal } from "@mantine/core";
import type { ReactNode } from "react";
import classes from "./dialog.module.css";

interface DialogProps {
  opened: boolean;
  onClose: () => void;
  title: string;
  size?: "sm" | "md" | "lg";
  children: ReactNode;
}

/**
 * A dialog over the page. Put together here because the library's own draws its title in a `header`, which screen readers
 * would announce as the page's second banner.
 */
export function Dialog({ opened, onClose, title, size = "md", children }: DialogProps) {
  return (
    <Modal.Root opened={opened} onClose={onClose} size={size} centered>
      <Modal.Overlay backgroundOpacity={0.5} />
      <Modal.Content radius="lg">
        <div className={classes.top}>
          <Modal.Title className={classes.title}>{title}</Modal.Title>
          <Modal.CloseButton aria-label="Close" />
        </div>
        <Modal.Body className={classes.body}>{children}</Modal.Body>
      </Modal.Content>
    </Modal.Root>
  );
}
