import { type ReactNode, useEffect, useState } from "react";
import { IconArrowUp, IconMessageCircle } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import { useBrand } from "../../../lib/brand.ts";
import { Inline, Stack } from "../../../ui/layout/boxes.tsx";
import { paths } from "../../../lib/paths.ts";
import { toPhoneAddress } from "../../../lib/texts/format.ts";
import { BrandHeading } from "../../../ui/kit/brand-heading.tsx";
import section from "./section.module.css";
import { SiteHeader } from "./site-header.tsx";
import classes from "./site-page.module.css";
import floatingLinksClasses from "./floating-links.module.css";
import siteFooterClasses from "./site-footer.module.css";

type SitePageProps = {
  /** The navy top of the page, under the header: `PageTop`, or the home page's own. */
  top: ReactNode;
  /** Nothing floats over what the page says while there is no room beside it: a price is read whole. */
  isKeptClear?: boolean;
  children: ReactNode;
};

/** The frame of every public page: header, footer, and the links to a chat and back to the top. */
export function SitePage({ top, isKeptClear = false, children }: SitePageProps) {
  return (
    <div className={classes.page}>
      <SiteHeader />
      <main id="main" tabIndex={-1}>
        {top}
        {children}
      </main>
      <SiteFooter />
      <FloatingLinks areAtEnd={isKeptClear} />
    </div>
  );
}

type PageTopProps = {
  title: string;
  /** One sentence about the page. */
  children: ReactNode;
};

/** The title of a public page. */
export function PageTop({ title, children }: PageTopProps) {
  return (
    <div className={classes.top}>
      <div className={section.wrap}>
        <h1 className={classes.title}>{title}</h1>
        <p className={classes.lead}>{children}</p>
      </div>
    </div>
  );
}

/** The configuration holds either a whole address or the number of the messaging app. */
export function toChatAddress(chat: string): string {
  return chat.startsWith("https://") ? chat : `https://wa.me/${chat.replaceAll(/[^0-9]/g, "")}`;
}

/** A chat with support, and a button back to the top once the page is scrolled. */
function FloatingLinks({ areAtEnd }: { areAtEnd: boolean }) {
  const chat = useBrand()?.chat ?? "";
  const isScrolled = useIsScrolled();
  return (
    <aside className={floatingLinksClasses.place} data-at-end={areAtEnd} aria-label="Quick links">
      {isScrolled && (
        <Inline
          as="button"
          type="button"
          gap={8}
          align="center"
          justify="center"
          className={`${floatingLinksClasses.up} small strong`}
          aria-label="Scroll to top"
          onClick={() => window.scrollTo({ top: 0, behavior: "smooth" })}
        >
          <IconArrowUp size={20} stroke={1.8} aria-hidden />
        </Inline>
      )}
      {chat !== "" && (
        <Inline
          as="a"
          gap={8}
          align="center"
          justify="center"
          className={`${floatingLinksClasses.chat} small strong`}
          aria-label="Chat"
          href={toChatAddress(chat)}
          target="_blank"
          rel="noreferrer"
        >
          <IconMessageCircle size={20} stroke={1.8} aria-hidden />
          <span className={floatingLinksClasses.word}>Chat</span>
        </Inline>
      )}
    </aside>
  );
}

function useIsScrolled(): boolean {
  const [isScrolled, setScrolled] = useState(false);
  useEffect(() => {
    const update = (): void => setScrolled(window.scrollY > 600);
    update();
    window.addEventListener("scroll", update, { passive: true });
    return () => window.removeEventListener("scroll", update);
  }, []);
  return isScrolled;
}

const links = [
  { to: paths.home, hash: "about", label: "About Us" },
  { to: paths.contact, label: "Contacts" },
  { to: paths.pricing, label: "Pricing" },
  { to: paths.rates, label: "SMS Rates" },
  { to: paths.smsApi, label: "SMS API" },
];

function SiteFooter() {
  const brand = useBrand();
  return (
    <footer className={siteFooterClasses.footer}>
      <div className={`${section.wrap} ${siteFooterClasses.row}`}>
        <Stack gap={8} align="start">
          <BrandHeading />
          <p className={siteFooterClasses.small}>Bulk SMS for businesses in Nigeria and abroad</p>
        </Stack>
        <Inline as="nav" aria-label="Footer" gap={8} across={24} wraps className={siteFooterClasses.links}>
          {links.map(({ label, ...link }) => (
            <Link key={label} {...link}>
              {label}
            </Link>
          ))}
        </Inline>
        <Stack gap={8} align="start" className={siteFooterClasses.reach}>
          <address className={siteFooterClasses.address}>{brand?.address}</address>
          {brand?.phones.map((phone) => (
            <a key={phone} href={toPhoneAddress(phone)} className="numeric">
              {phone}
            </a>
          ))}
        </Stack>
      </div>
    </footer>
  );
}
