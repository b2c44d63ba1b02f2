import { IconExternalLink, IconPhotoOff } from "@tabler/icons-react";
import { useState } from "react";
import { Inline } from "../../ui/layout/boxes.tsx";
import classes from "./receipt.module.css";

type ReceiptProps = {
  /** Address of the receipt on our own server. */
  src: string;
  type: "image" | "pdf";
  /** Whose receipt it is, for those who do not see it. */
  label: string;
  /** Whether it is there to be read, or only to be recognized in a grid. */
  isLarge?: boolean;
};

/** Asks the browser's viewer for the page's whole width without its tools, which would fill a small frame. */
const GLANCE = "#toolbar=0&view=FitH";

/** A deposit's receipt: an image, or a PDF in a frame; and the way to see it alone, which some phones need for PDFs. */
export function Receipt({ src, type, label, isLarge = false }: ReceiptProps) {
  const [isBroken, setBroken] = useState(false);
  const words = type === "pdf" ? "Open the PDF" : "Open the image";
  return (
    <figure className={classes.receipt} data-large={isLarge || undefined}>
      <div className={classes.frame} data-type={type}>
        {type === "pdf" ? (
          <iframe className={classes.pdf} src={isLarge ? src : `${src}${GLANCE}`} title={label} loading="lazy" />
        ) : isBroken ? (
          <Inline as="p" gap={8} align="center" className={`${classes.broken} muted small`}>
            <IconPhotoOff size={24} stroke={1.6} aria-hidden />
            <span className={isLarge ? undefined : "visually-hidden"}>The receipt cannot be shown at the moment</span>
          </Inline>
        ) : (
          <img className={classes.image} src={src} alt={label} loading="lazy" onError={() => setBroken(true)} />
        )}
      </div>
      <figcaption className={classes.caption}>
        <a href={src} target="_blank" rel="noreferrer" className={classes.open} aria-label={`${words}: ${label}`}>
          {isLarge ? words : "Open"} <IconExternalLink size={14} stroke={1.8} aria-hidden />
        </a>
      </figcaption>
    </figure>
  );
}
