import { Button } from "@mantine/core";
import { IconCircleCheck } from "@tabler/icons-react";
import { useEffect, useRef } from "react";
import { Stack } from "../../../ui/layout/boxes.tsx";
import classes from "./contact-page.module.css";

type ContactThanksProps = {
  message: string;
  onAgain: () => void;
};

/** In place of the form once the message is on its way. The focus comes along, so that a screen reader says it. */
export function ContactThanks({ message, onAgain }: ContactThanksProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <Stack gap={12} align="start" className={classes.thanks}>
      <IconCircleCheck size={40} stroke={1.5} aria-hidden />
      <h2 ref={heading} tabIndex={-1}>
        Message sent
      </h2>
      <p>{message}.</p>
      <Button variant="default" onClick={onAgain}>
        Write another message
      </Button>
    </Stack>
  );
}
