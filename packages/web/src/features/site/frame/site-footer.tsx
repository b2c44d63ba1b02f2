import { Link } from "@tanstack/react-router";
import { useBrand } from "../../../lib/brand.ts";
import { paths } from "../../../lib/paths.ts";
import { toPhoneAddress } from "../../../lib/texts/format.ts";
import { BrandHeading } from "../../../ui/kit/brand-heading.tsx";
import { Inline, Stack } from "../../../ui/layout/boxes.tsx";
import section from "./section.module.css";
import classes from "./site-footer.module.css";

const links = [
  { to: paths.home, hash: "about", label: "About Us" },
  { to: paths.contact, label: "Contacts" },
  { to: paths.pricing, label: "Pricing" },
  { to: paths.rates, label: "SMS Rates" },
  { to: paths.smsApi, label: "SMS API" },
];

export function SiteFooter() {
  const brand = useBrand();
  return (
    <footer className={classes.footer}>
      <div className={`${section.wrap} ${classes.row}`}>
        <Stack gap={8} align="start">
          <BrandHeading />
          <p className={classes.small}>Bulk SMS for businesses in Nigeria and abroad</p>
        </Stack>
        <Inline as="nav" aria-label="Footer" gap={8} across={24} wraps className={classes.links}>
          {links.map(({ label, ...link }) => (
            <Link key={label} {...link}>
              {label}
            </Link>
          ))}
        </Inline>
        <Stack gap={8} align="start" className={classes.reach}>
          <address className={classes.address}>{brand?.address}</address>
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
