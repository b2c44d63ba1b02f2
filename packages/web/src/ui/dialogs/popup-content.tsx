import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useEffect, useState } from "react";
import { Loader } from "@mantine/core";
import { durationsMs } from "@ewebal/contract/rules";
import { FailedState } from "../lists/list-states.tsx";
import classes from "./popup-content.module.css";

type PopupContentProps<C> = {
  /** Names the content among all pop-ups; it is fetched once. */
  name: string;
  /** Gives a component, or a module of several. */
  load: () => Promise<C>;
  /** In place of the spinner: for a part of a page. */
  waiting?: ReactNode;
  children: (content: C) => ReactNode;
};

/**
 * The content of a pop-up, fetched when it is first opened, so that the page beneath stays light. Shows the specified spinner
 * until then, and a way to try again when the network fails.
 */
export function PopupContent<C>({ name, load, waiting = <PopupSpinner />, children }: PopupContentProps<C>) {
  const { data, error, refetch } = useQuery({
    queryKey: ["popup", name],
    // The component is wrapped in an object, because React would call a bare function as a state update.
    queryFn: async () => ({ content: await load() }),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
    structuralSharing: false,
  });
  if (data !== undefined) return children(data.content);
  return error === null ? waiting : <FailedState error={error} onRetry={() => void refetch()} />;
}

/** Shown in a pop-up while its content is fetched: the specified spinner for at most 2 s, then words. */
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
