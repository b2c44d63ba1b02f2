import { Button } from "@mantine/core";
import { IconDownload } from "@tabler/icons-react";
import { useState } from "react";
import { paths } from "../../../lib/paths.ts";
import { forgetInTab, keepInTab, readFromTab } from "../../../lib/session/tab-storage.ts";
import { formatCounted } from "../../../lib/texts/format.ts";
import { Callout } from "../../../ui/kit/callout.tsx";
import { ButtonLink } from "../../../ui/kit/links.tsx";
import { Inline, Stack } from "../../../ui/layout/boxes.tsx";

/** Rows of a file that was added without them. */
export type LeftOut = {
  catalogId: string;
  /** The server's words: how many were added, were there, and were left out. */
  message: string;
  count: number;
  /** The address of the rows as a file. */
  file: string;
};

/** A success leads to the phonebook, so the rows wait in the tab until they are uploaded, or nobody wants them. */
export function keepLeftOut(leftOut: LeftOut | undefined): void {
  if (leftOut === undefined) forgetInTab("left-out-rows");
  else keepInTab("left-out-rows", leftOut);
}

/** What of the last file could not be added, to be corrected and uploaded by itself; nothing where there is nothing. */
export function LeftOutRows({ userId, isOnUploadPage = false }: { userId: string; isOnUploadPage?: boolean }) {
  const [leftOut, setLeftOut] = useState(() => readLeftOut(userId));
  if (leftOut === undefined) return null;
  const rows = formatCounted(leftOut.count, "row");
  return (
    <Stack below={isOnUploadPage ? 0 : 16}>
      <Callout
        tone="warn"
        title={`${rows} left out`}
        action={
          <Inline gap={8} wraps>
            <Button
              size="xs"
              variant="default"
              component="a"
              href={leftOut.file}
              download
              leftSection={<IconDownload size={16} stroke={1.8} aria-hidden />}
            >
              Download the {rows}
            </Button>
            {!isOnUploadPage && (
              <ButtonLink
                to={paths.uploadContacts}
                search={{ catalogId: leftOut.catalogId }}
                size="xs"
                variant="default"
              >
                Upload them corrected
              </ButtonLink>
            )}
            <Button
              size="xs"
              variant="default"
              onClick={() => {
                keepLeftOut(undefined);
                setLeftOut(undefined);
              }}
            >
              Leave them out
            </Button>
          </Inline>
        }
      >
        <p>{leftOut.message}</p>
        <p>
          The file names the reason beside each row. Correct them there and upload it to the same catalog: these rows
          alone are added. The file is kept for 24 hours.
        </p>
      </Callout>
    </Stack>
  );
}

/** The file is its customer's own, which its address begins with. */
function readLeftOut(userId: string): LeftOut | undefined {
  const kept = readFromTab("left-out-rows") as Partial<LeftOut> | null;
  if (typeof kept !== "object" || kept === null) return undefined;
  const { catalogId, message, count, file } = kept;
  if (typeof catalogId !== "string" || typeof message !== "string" || typeof count !== "number") return undefined;
  return typeof file === "string" && file.startsWith(`/api/${userId}/`)
    ? { catalogId, message, count, file }
    : undefined;
}
