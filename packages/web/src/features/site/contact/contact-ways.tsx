import { IconMail, IconMapPin, IconMessageCircle, IconPhone, type Icon } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { useBrand } from "../../../lib/brand.ts";
import { Stack } from "../../../ui/layout/boxes.tsx";
import { toPhoneAddress } from "../../../lib/texts/format.ts";
import { toChatAddress } from "../frame/site-page.tsx";
import classes from "./contact-ways.module.css";

/** How to reach support, as configured. */
export function ContactWays() {
  const brand = useBrand();
  const chat = brand?.chat ?? "";
  return (
    <div className={classes.grid}>
      <Way icon={IconMapPin} title="Office">
        <address className={classes.address}>{brand?.address}</address>
      </Way>
      <Way icon={IconPhone} title="Phone">
        {brand?.phones.map((phone) => (
          <a key={phone} href={toPhoneAddress(phone)} className="numeric">
            {phone}
          </a>
        ))}
      </Way>
      <Way icon={IconMail} title="E-mail">
        {brand?.emails.map((email) => (
          <a key={email} href={`mailto:${email}`}>
            {email}
          </a>
        ))}
      </Way>
      {chat !== "" && (
        <Way icon={IconMessageCircle} title="Chat">
          <a href={toChatAddress(chat)} target="_blank" rel="noreferrer">
            Start a conversation
          </a>
        </Way>
      )}
    </div>
  );
}

function Way({ icon: WayIcon, title, children }: { icon: Icon; title: string; children: ReactNode }) {
  return (
    <div className={classes.way}>
      <WayIcon size={22} stroke={1.7} aria-hidden />
      <Stack gap={4} className={`${classes.lines} shrinkable`}>
        <h3>{title}</h3>
        {children}
      </Stack>
    </div>
  );
}
