import {
  IconAddressBook,
  IconArrowsExchange,
  IconCreditCard,
  IconHistory,
  IconPencil,
  IconSend,
} from "@tabler/icons-react";
import { Tiles } from "../../../ui/layout/boxes.tsx";
import section from "../frame/section.module.css";
import classes from "./feature-grid.module.css";

/** The six features of the specification, section 1. */
const features = [
  {
    icon: IconSend,
    title: "Send real-time SMS",
    text: "To thousands of numbers at once, in Nigeria and abroad, under your own sender name.",
  },
  {
    icon: IconCreditCard,
    title: "Buy SMS units",
    text: "Online with a card payment provider, or offline by bank transfer with your receipt.",
  },
  {
    icon: IconPencil,
    title: "Draft messages",
    text: "Write now, send later. A draft keeps the text, the sender name and the numbers.",
  },
  {
    icon: IconAddressBook,
    title: "Phone book",
    text: "Keep your contacts in named groups, pasted or uploaded from a CSV file.",
  },
  {
    icon: IconHistory,
    title: "SMS history",
    text: "Every message with what was delivered, what failed, and why; resend with one press.",
  },
  {
    icon: IconArrowsExchange,
    title: "Transaction history",
    text: "Every deposit with its receipt, and every unit with what it was spent on.",
  },
];

export function FeatureGrid() {
  return (
    <section id="features" className={section.section} aria-labelledby="features-title">
      <div className={section.wrap}>
        <h2 id="features-title" className={section.heading}>
          Everything a campaign needs
        </h2>
        <p className={section.lead}>From the first pasted number to the last delivery report, in one place.</p>
        <Tiles as="ul" min={300} keepsEmpty className={classes.grid}>
          {features.map(({ icon: FeatureIcon, title, text }) => (
            <li key={title} className={classes.feature}>
              <span className={classes.icon} aria-hidden>
                <FeatureIcon size={22} stroke={1.7} />
              </span>
              <h3>{title}</h3>
              <p className={classes.text}>{text}</p>
            </li>
          ))}
        </Tiles>
      </div>
    </section>
  );
}
