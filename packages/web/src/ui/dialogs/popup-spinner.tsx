import { Loader } from "@mantine/core";
import { durationsMs } from "@ewebal/contract/rules";
import { useEffect, useState } from "react";
import classes from "./popup-spinner.module.css";

/** Stands in a pop-up while its content is fetched: the specified spinner for at most 2 s, then words in its place. */
export function PopupSpinner() {
  const [isTimeOver, setTimeOver] = useState(false);
  useEffect(() => {
    const timer = window.setTimeout(() => setTimeOver(true), durationsMs.popupSpinnerMax);
    return () => window.clearTimeout(timer);
  }, []);
  return (
    <div className={classes.place} role="status" aria-label="Loading">
      {isTimeOver ? <p>This takes longer than usual. Please check your network.</p> : <Loader aria-hidden />}
    </div>
  );
}
