import { Link } from "@tanstack/react-router";
import { fixedTexts } from "../../lib/texts/fixed-texts.ts";
import { paths } from "../../lib/paths.ts";
import { BrandHeading } from "../kit/brand-heading.tsx";
import { Stack } from "../layout/boxes.tsx";
import classes from "./fallback-page.module.css";
import { useTitle } from "../layout/use-title.ts";

/** Any address that is no page; the server answers it with 404 too. */
export function NotFoundPage() {
  useTitle(fixedTexts.pageNotFound);
  return (
    <Stack as="main" id="main" tabIndex={-1} gap={12} align="center" className={`${classes.page} centered`}>
      <BrandHeading colored />
      <p className={classes.figure} aria-hidden>
        404
      </p>
      <h1>{fixedTexts.pageNotFound}</h1>
      <p className={classes.text}>There is nothing at this address. It may be misspelt, or an old link.</p>
      <p className="above-12">
        <Link to={paths.home} className={classes.button}>
          Go to Home
        </Link>
      </p>
    </Stack>
  );
}
