import { Link } from "@tanstack/react-router";
import { IconMenu2 } from "@tabler/icons-react";
import { useRef } from "react";
import { paths } from "../../../lib/paths.ts";
import { BrandHeading } from "../../../ui/kit/brand-heading.tsx";
import { Inline } from "../../../ui/layout/boxes.tsx";
import { ColorSchemeToggle } from "../../../ui/theme/color-scheme-toggle.tsx";
import { ForPerson, useDashboardPath } from "./for-person.tsx";
import classes from "./site-header.module.css";
const links = [
  { to: paths.home, label: "Home" },
  { to: paths.contact, label: "Contact" },
  { to: paths.pricing, label: "Pricing" },
  { to: paths.rates, label: "SMS Rates" },
  { to: paths.smsApi, label: "Sms API" },
];

const MENU_ID = "site-menu";

/** The header of the public pages, white on navy. On a narrow screen its links are a popover menu of the browser. */
export function SiteHeader() {
  const dashboardPath = useDashboardPath();
  const menu = useRef<HTMLElement>(null);
  const closeMenu = (): void => {
    if (menu.current?.matches(":popover-open") === true) menu.current.hidePopover();
  };
  return (
    <Inline as="header" gap={16} align="center" className={classes.header}>
      <BrandHeading />
      <nav ref={menu} id={MENU_ID} popover="auto" className={classes.menu} aria-label="Site" onClick={closeMenu}>
        {links.map(({ to, label }) => (
          <Link key={to} to={to} className={classes.link} activeOptions={{ exact: true }}>
            {label}
          </Link>
        ))}
      </nav>
      <Inline gap={4} align="center" className={classes.end}>
        <ForPerson>
          <Link className={classes.enter} to={dashboardPath ?? paths.login}>
            {dashboardPath === undefined ? "Login" : "Dashboard"}
          </Link>
        </ForPerson>
        <ColorSchemeToggle />
        <button type="button" className={`${classes.opener} icon-button`} popoverTarget={MENU_ID} aria-label="Menu">
          <IconMenu2 size={22} stroke={1.8} aria-hidden />
        </button>
      </Inline>
    </Inline>
  );
}
