import { Button } from "@mantine/core";
import { ApiError } from "../../../lib/api/api.ts";
import { networkLost } from "../../../lib/texts/fixed-texts.ts";
import { Callout } from "../../../ui/kit/callout.tsx";

/** What could not be read, with the way to try again. */
export function FailedRead({ error, onRetry }: { error: Error; onRetry: () => void }) {
  const retry = (
    <Button size="xs" variant="default" onClick={onRetry}>
      Try again
    </Button>
  );
  return (
    <Callout
      tone="error"
      title={error instanceof ApiError ? error.message : networkLost.title}
      action={retry}
      isAnnounced
    >
      {error instanceof ApiError ? undefined : networkLost.text}
    </Callout>
  );
}
