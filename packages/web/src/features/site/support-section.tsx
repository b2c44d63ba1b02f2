import { IconMail, IconMapPin, IconPhone, type Icon } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { useBrand } from "../../lib/brand.ts";
import section from "./section.module.css";
import classes from "./support-section.module.css";

/** Whom to ask; everything comes from the configuration. */
export function SupportSection() {
  const brand = useBrand();
  return (
    <section id="contact" className={section.section} aria-labelledby="contact-title">
      <div className={section.wrap}>
        <h2 id="contact-title" className={section.heading}>
          People who answer
        </h2>
        <p className={section.lead}>Questions before the first send, or in the middle of one: write or call.</p>
        <div className={classes.grid}>
          <Way icon={IconMapPin} title="Office">
            <address className={classes.address}>{brand?.address}</address>
          </Way>
          <Way icon={IconPhone} title="Phone">
            {brand?.phones.map((phone) => (
              <a key={phone} href={`tel:${phone.replaceAll(/[^+0-9]/g, "")}`} className="numeric">
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
        </div>
      </div>
    </section>
  );
}

function Way({ icon: WayIcon, title, children }: { icon: Icon; title: string; children: ReactNode }) {
  return (
    <div className={classes.way}>
      <WayIcon size={22} stroke={1.7} aria-hidden />
      <div className={classes.lines}>
        <h3>{title}</h3>
        {children}
      </div>
    </div>
  );
}
