import { Button, type ButtonProps } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import classes from "./links.module.css";

type TextLinkProps = {
  to: string;
  /** The address's query parameters. */
  search?: Record<string, string>;
  children: ReactNode;
  className?: string;
};

/** A link inside the product, underlined as links in text must be. */
export function TextLink({ to, search, children, className }: TextLinkProps) {
  return (
    <Link to={to} {...(search !== undefined && { search })} className={`${classes.link} ${className ?? ""}`}>
      {children}
    </Link>
  );
}

type ExternalLinkProps = {
  href: string;
  children: ReactNode;
};

/** A link to a page of this site that the server draws, such as the API reference. */
export function ServerLink({ href, children }: ExternalLinkProps) {
  return (
    <a href={href} className={classes.link}>
      {children}
    </a>
  );
}

/** A link to another site or a mail address; opens beside the product. */
export function ExternalLink({ href, children }: ExternalLinkProps) {
  return (
    <a href={href} className={classes.link} target="_blank" rel="noreferrer">
      {children}
    </a>
  );
}

/** A link that looks like a button. */
export function ButtonLink({ to, search, children, ...button }: ButtonProps & TextLinkProps) {
  return (
    <Button {...button} renderRoot={(props) => <Link to={to} {...(search !== undefined && { search })} {...props} />}>
      {children}
    </Button>
  );
}
