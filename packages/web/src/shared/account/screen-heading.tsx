import type { ReactNode } from "react";
import classes from "./screen-heading.module.css";
import { useTitle } from "../../ui/layout/use-title.ts";

type ScreenHeadingProps = {
  title: string;
  children?: ReactNode;
};

/** The title and first sentence of a screen in the auth card; names the window too. */
export function ScreenHeading({ title, children }: ScreenHeadingProps) {
  useTitle(title);
  return (
    <div className={classes.root}>
      <h1>{title}</h1>
      {children !== undefined && <p className={classes.text}>{children}</p>}
    </div>
  );
}
