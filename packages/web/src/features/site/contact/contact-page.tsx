import "../../../ui/styles/forms.css";
import { useState } from "react";
import { ContactForm } from "./contact-form.tsx";
import classes from "./contact-page.module.css";
import { ContactThanks } from "./contact-thanks.tsx";
import { ContactWays } from "./contact-ways.tsx";
import section from "../frame/section.module.css";
import { PageTop, SitePage } from "../frame/site-page.tsx";

export function ContactPage() {
  /** The server's words about a message that is on its way. */
  const [thanks, setThanks] = useState<string>();
  return (
    <SitePage
      top={
        <PageTop title="Contact us">
          Questions before the first send, or in the middle of one: write, call, or start a chat.
        </PageTop>
      }
    >
      <div className={`${section.wrap} ${classes.grid}`}>
        <div className={classes.card}>
          {thanks === undefined ? (
            <ContactForm onSent={setThanks} />
          ) : (
            <ContactThanks message={thanks} onAgain={() => setThanks(undefined)} />
          )}
        </div>
        <section aria-labelledby="ways-title">
          <h2 id="ways-title" className="visually-hidden">
            Where to find us
          </h2>
          <ContactWays />
        </section>
      </div>
    </SitePage>
  );
}
