import { ContactWays } from "../contact/contact-ways.tsx";
import section from "../frame/section.module.css";

export function SupportSection() {
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
