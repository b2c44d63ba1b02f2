/** What the screens in the auth card have besides their forms. */
import type { ReactNode } from "react";
import { paths } from "../../lib/paths.ts";
import { TextLink } from "../../ui/kit/links.tsx";
import { Inline } from "../../ui/layout/boxes.tsx";
import classes from "./screen-parts.module.css";

type PartProps = {
  children: ReactNode;
};

/** A line below the form: where else one may want to go, or what is going on. */
export function ScreenAside({ children, isStatus = false }: PartProps & { isStatus?: boolean }) {
  return (
    <p className="muted small centered" role={isStatus ? "status" : undefined}>
      {children}
    </p>
  );
}

/** Below the password of a login. */
export function ForgotPassword() {
  return (
    <span className={classes.end}>
      <TextLink to={paths.resetPassword}>Forgot Password</TextLink>
    </span>
  );
}

/** A large icon over a screen's heading. */
export function ScreenSign({ children }: PartProps) {
  return <span className={classes.sign}>{children}</span>;
}

/** Buttons side by side, below each other where there is no room. */
export function ScreenActions({ children }: PartProps) {
  return (
    <Inline gap={12} wraps>
      {children}
    </Inline>
  );
}
