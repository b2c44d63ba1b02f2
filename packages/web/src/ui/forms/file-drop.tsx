import { Button } from "@mantine/core";
import { IconFileUpload } from "@tabler/icons-react";
import { useId, useRef, useState, type DragEvent, type ReactNode } from "react";
import { Stack } from "../layout/boxes.tsx";
import classes from "./file-drop.module.css";

type FileDropProps = {
  /** The words on the button. */
  label: string;
  /** What may be chosen, as the browser's file dialog takes it: `.csv,text/csv`. What is dropped is the caller's to check. */
  accept: string;
  onFile: (file: File) => void;
  /** What kind of file, and how large it may be. */
  hint: ReactNode;
  /** Why the last file was refused. */
  error?: string | undefined;
  isSmall?: boolean;
};

/** A place for one file: it can be dropped anywhere in the box, and a real button in it opens the file dialog. */
export function FileDrop({ label, accept, onFile, hint, error, isSmall = false }: FileDropProps) {
  const hintId = useId();
  const inputRef = useRef<HTMLInputElement>(null);
  const [isOver, setOver] = useState(false);

  const take = (files: FileList | null): void => {
    const file = files?.[0];
    if (file !== undefined) onFile(file);
  };
  const onDrag = (event: DragEvent, isInside: boolean): void => {
    event.preventDefault();
    setOver(isInside);
  };
  return (
    <Stack
      gap={8}
      align="center"
      className={`${classes.box} centered`}
      data-over={isOver || undefined}
      data-error={error !== undefined || undefined}
      data-small={isSmall || undefined}
      onDragEnter={(event) => onDrag(event, true)}
      onDragOver={(event) => onDrag(event, true)}
      onDragLeave={(event) =>
        onDrag(event, event.relatedTarget instanceof Node && event.currentTarget.contains(event.relatedTarget))
      }
      onDrop={(event) => {
        onDrag(event, false);
        take(event.dataTransfer.files);
      }}
    >
      {!isSmall && <IconFileUpload className="muted" size={32} stroke={1.5} aria-hidden />}
      <Button variant="default" aria-describedby={hintId} onClick={() => inputRef.current?.click()}>
        {label}
      </Button>
      <p className={classes.hint} id={hintId}>
        <span className={classes.drop}>or drop it here. </span>
        {hint}
      </p>
      {error !== undefined && (
        <p className="tone-error small" role="alert">
          {error}
        </p>
      )}
      <input
        ref={inputRef}
        type="file"
        hidden
        accept={accept}
        onChange={({ currentTarget }) => {
          take(currentTarget.files);
          // The same file may be chosen again, once it has been corrected.
          currentTarget.value = "";
        }}
      />
    </Stack>
  );
}
