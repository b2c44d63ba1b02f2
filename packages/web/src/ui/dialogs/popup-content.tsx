import { useQuery } from "@tanstack/react-query";
import { type ComponentType, type ReactNode, useEffect, useState } from "react";
import { Loader } from "@mantine/core";
import { durationsMs } from "@ewebal/contract/rules";
import { FailedState } from "../lists/list-states.tsx";
import classes from "./popup-content.module.css";

type PopupContentProps<P> = {
  /** Names the content among all pop-ups; it is fetched once. */
  name: string;
  load: () => Promise<ComponentType<P>>;
  children: (Content: ComponentType<P>) => ReactNode;
};

/**
 * The content of a pop-up, fetched when it is first opened, so that the page beneath stays light. Shows the specified spinner
 * until then, and a way to try again when the network fails.
 */
export function PopupContent<P>({ name, load, children }: PopupContentProps<P>) {
  const { data, error, refetch } = useQuery({
    queryKey: ["popup", name],
    // The component is wrapped in an object, because React would call a bare function as a state update.
    queryFn: async () => ({ Content: await load() }),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
    structuralSharing: false,
  });
  if (data !== undefined) return children(data.Content);
  return error === null ? <PopupSpinner /> : <FailedState error={error} onRetry={() => void refetch()} />;
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
