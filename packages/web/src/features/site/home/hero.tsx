import { Link } from "@tanstack/react-router";
import { useBrand } from "../../../lib/brand.ts";
import { formatRate } from "../../../lib/texts/format.ts";
import { paths } from "../../../lib/paths.ts";
import { Inline } from "../../../ui/layout/boxes.tsx";
import { ForPerson, useDashboardPath } from "../frame/for-person.tsx";
import section from "../frame/section.module.css";
import classes from "./hero.module.css";

/** The first screen: the promise, the links to register and sign in, and a picture of a send. */
export function Hero() {
  const dashboardPath = useDashboardPath();
  const startingRate = useBrand()?.startingRate;
  return (
    <section className={classes.hero}>
      <div className={`${section.wrap} ${classes.grid}`}>
        <div className={classes.words}>
          <h1 className={classes.title}>Reach every customer with one SMS</h1>
          <p className={classes.lead}>
            Paste your numbers or pick a saved group, write once, and watch each message arrive. You pay for units in
            naira, and only for what you send.
          </p>
          <Inline gap={12} wraps className={classes.actions}>
            <ForPerson>
              {dashboardPath === undefined ? (
                <>
                  <Link to={paths.register} className={classes.primary}>
                    Register
                  </Link>
                  <Link to={paths.login} className={classes.secondary}>
                    Login
                  </Link>
                </>
              ) : (
                <Link to={dashboardPath} className={classes.primary}>
                  Dashboard
                </Link>
              )}
            </ForPerson>
          </Inline>
          <p className={classes.price}>
            From{" "}
            <strong className="numeric">{startingRate === undefined ? "" : `${formatRate(startingRate)} naira`}</strong>{" "}
            per SMS page in Nigeria
          </p>
        </div>
        <Picture />
      </div>
    </section>
  );
}

/** A drawing: two messages on a phone, and the progress of the newest beside it. */
function Picture() {
  return (
    <div className={classes.picture} aria-hidden>
      <div className={classes.phone}>
        <Inline gap={8} align="center" className={`${classes.sender} strong`}>
          <span className={classes.avatar}>A</span>
          <span>AdaStores</span>
        </Inline>
        <p className={classes.bubble}>Ngozi, your order is ready for pick-up until 6 pm. Thank you!</p>
        <span className={classes.stamp}>Yesterday - delivered</span>
        <p className={classes.bubble}>
          Good morning! Our Saturday sale starts at 9 am in Ikeja: 20% off all fabrics. See you there.
        </p>
        <span className={classes.stamp}>Now - delivered</span>
      </div>
      <div className={classes.progress}>
        <span className="strong">Saturday sale</span>
        <span className={classes.bar}>
          <span />
        </span>
        <dl className={`${classes.counts} numeric`}>
          <div>
            <dt>Recipients</dt>
            <dd>10,000</dd>
          </div>
          <div>
            <dt>Delivered</dt>
            <dd>9,412</dd>
          </div>
        </dl>
      </div>
    </div>
  );
}
