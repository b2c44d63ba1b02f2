import { Link } from "@tanstack/react-router";
import { useBrand } from "../../lib/brand.ts";
import { paths } from "../../lib/paths.ts";
import classes from "./brand-heading.module.css";

type BrandHeadingProps = {
  /** Navy on light ground when set (white in the dark scheme), always white otherwise. */
  colored?: boolean;
  size?: "md" | "lg";
};

/** Logo, name and grey suffix without a space between them; a link to the home page. */
export function BrandHeading({ colored = false, size = "md" }: BrandHeadingProps) {
  const brand = useBrand();
  const name = brand === undefined ? "" : `${brand.name}${brand.suffix}`;
  return (
    <Link
      to={paths.home}
      className={classes.root}
      data-colored={colored || undefined}
      data-size={size}
      aria-label={name === "" ? "Home" : `${name}, home`}
    >
      <Logo />
      <span className={classes.name}>
        {brand?.name}
        <span className={classes.suffix}>{brand?.suffix}</span>
      </span>
    </Link>
  );
}

/** A message on its way: the bubble with two waves cut out of it. */
export function Logo() {
  return (
    <svg className={classes.logo} viewBox="0 0 32 32" role="img" aria-label="Logo">
      <path
        d="M9 4h14a6 6 0 0 1 6 6v9a6 6 0 0 1-6 6h-9.2L8 29.4c-.8.6-2 .1-2-1V24.2A6 6 0 0 1 3 19v-9a6 6 0 0 1 6-6Z"
        fill="currentColor"
      />
      <g className={classes.waves} fill="none" strokeWidth="2.4" strokeLinecap="round">
        <path d="M9 12.2c2.3-2.2 4.7-2.2 7 0s4.7 2.2 7 0" />
        <path d="M9 17.8c2.3-2.2 4.7-2.2 7 0s4.7 2.2 7 0" />
      </g>
    </svg>
  );
}
