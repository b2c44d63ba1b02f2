import { fixedTexts } from "../../lib/texts/fixed-texts.ts";
import { paths } from "../../lib/paths.ts";
import { useBrand } from "../../lib/brand.ts";
import { Stack } from "../layout/boxes.tsx";
import classes from "./fallback-page.module.css";
import { useTitle } from "../layout/use-title.ts";

/**
 * Shown when a page breaks. Plain links on purpose: they reload the whole product, which is what helps when something in
 * memory is broken.
 */
export function FallbackPage() {
  return (
    <main id="main" tabIndex={-1}>
      <FallbackContent />
    </main>
  );
}

/** The same inside a layout, which has its own main part. */
export function FallbackContent() {
  useTitle(fixedTexts.fallback);
  const brand = useBrand();
  const email = brand?.emails[0];
  const phone = brand?.phones[0];
  return (
    <Stack gap={12} align="center" className={`${classes.page} centered`}>
      <p className={classes.figure} aria-hidden>
        500
      </p>
      <h1>{fixedTexts.fallback}</h1>
      <p className={classes.text}>Something went wrong. Your units and messages are safe.</p>
      <p className="above-12">
        <a className={classes.button} href={paths.login}>
          Login again
        </a>
      </p>
      {email !== undefined && (
        <p className={classes.text}>
          Still there? Write to <a href={`mailto:${email}`}>{email}</a>
          {phone !== undefined && (
            <>
              {" "}
              or call <a href={`tel:${phone.replaceAll(" ", "")}`}>{phone}</a>
            </>
          )}
          .
        </p>
      )}
    </Stack>
  );
}
