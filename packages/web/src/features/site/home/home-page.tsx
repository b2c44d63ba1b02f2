import { IconCheck } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import { useBrand } from "../../../lib/brand.ts";
import { Tiles, Stack } from "../../../ui/layout/boxes.tsx";
import { formatNaira, formatRate } from "../../../lib/texts/format.ts";
import { paths } from "../../../lib/paths.ts";
import { SitePage } from "../frame/site-page.tsx";
import { ContactWays } from "../contact/contact-ways.tsx";
import section from "../frame/section.module.css";
import { FeatureGrid } from "./feature-grid.tsx";
import { Hero } from "./hero.tsx";
import classes from "./about-section.module.css";
import priceSectionClasses from "./price-section.module.css";

/** The home page: what the product is, what it does, what it costs, and how to reach support. */
export function HomePage() {
  return (
    <SitePage top={<Hero />}>
      <FeatureGrid />
      <PriceSection />
      <AboutSection />
      <SupportSection />
    </SitePage>
  );
}

function SupportSection() {
  return (
    <section id="contact" className={`${section.section} ${section.tinted}`} aria-labelledby="contact-title">
      <div className={`${section.wrap} ${section.stack}`}>
        <div>
          <h2 id="contact-title" className={section.heading}>
            People who answer
          </h2>
          <p className={section.lead}>Questions before the first send, or in the middle of one: write or call.</p>
        </div>
        <ContactWays />
      </div>
    </section>
  );
}

/** The steps of a message. */
const steps = [
  { title: "You write", text: "The price of the whole campaign is beside the text before you send it." },
  { title: "We hold the units", text: "You pay only for what a network accepts. The rest comes back to your balance." },
  { title: "The network reports", text: "Each number ends as delivered or failed, with the reason in plain words." },
];

function AboutSection() {
  const name = useBrand()?.name;
  return (
    <section id="about" className={section.section} aria-labelledby="about-title">
      <div className={section.wrap}>
        <h2 id="about-title" className={section.heading}>
          About Us
        </h2>
        <p className={section.lead}>
          {`${name ?? "The service"} carries messages for shops, schools, churches, clinics and companies in Nigeria and abroad: notices, `}
          reminders, offers and thanks that reach people on any phone, without an app.
        </p>
        <Tiles as="ol" min={260} className={classes.steps}>
          {steps.map(({ title, text }) => (
            <li key={title} className={classes.step}>
              <h3>{title}</h3>
              <p>{text}</p>
            </li>
          ))}
        </Tiles>
      </div>
    </section>
  );
}

const promises = [
  "One page is 160 characters",
  "You see the charge before you send",
  "Duplicate numbers are sent and charged once",
  "Numbers on the do-not-disturb list are skipped and not charged",
];

function PriceSection() {
  const startingRate = useBrand()?.startingRate;
  return (
    <section id="pricing" className={`${section.section} ${section.tinted}`} aria-labelledby="pricing-title">
      <div className={`${section.wrap} ${priceSectionClasses.grid}`}>
        <div>
          <h2 id="pricing-title" className={section.heading}>
            One price, paid in naira
          </h2>
          <p className={section.lead}>No monthly fee and no contract.</p>
          <Stack as="ul" gap={12} className={priceSectionClasses.promises}>
            {promises.map((promise) => (
              <li key={promise}>
                <IconCheck size={20} stroke={2} aria-hidden />
                {promise}
              </li>
            ))}
          </Stack>
        </div>
        <div className={priceSectionClasses.card}>
          <p className="muted">Nigeria, from</p>
          <p className={`${priceSectionClasses.price} numeric`}>
            {startingRate === undefined ? "" : `₦${formatRate(startingRate)}`}
          </p>
          <p className="muted">per SMS page and recipient</p>
          <p className={priceSectionClasses.example}>
            1,000 customers, one page:{" "}
            <strong className="numeric">{startingRate === undefined ? "" : formatNaira(1_000 * startingRate)}</strong>
          </p>
          <Link to={paths.pricing} className={priceSectionClasses.button}>
            Work out your price
          </Link>
        </div>
      </div>
    </section>
  );
}
