import { useBrand } from "../../../lib/brand.ts";
import { Tiles } from "../../../ui/layout/boxes.tsx";
import classes from "./about-section.module.css";
import section from "../frame/section.module.css";

/** What a message goes through, so that nobody has to believe in magic. */
const steps = [
  { title: "You write", text: "The price of the whole campaign stands beside the text before you send it." },
  { title: "We hold the units", text: "Only what a carrier accepts is charged. The rest comes back to your balance." },
  { title: "The carrier reports", text: "Each number ends as delivered or failed, with the reason in plain words." },
];

export function AboutSection() {
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
