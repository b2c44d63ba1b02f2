import { IconFileTypePdf, IconPhoto } from "@tabler/icons-react";
import { useEffect, useState } from "react";
import { Inline } from "../../../ui/layout/boxes.tsx";
import classes from "./deposit-panel.module.css";

/** The chosen file before it is sent. A PDF is only named: the page's policy frames nothing that is not on the server. */
export function ReceiptPreview({ file }: { file: File }) {
  const isPdf = /\.pdf$/i.test(file.name);
  const [address, setAddress] = useState<string>();
  useEffect(() => {
    if (isPdf) return undefined;
    const made = URL.createObjectURL(file);
    setAddress(made);
    return () => URL.revokeObjectURL(made);
  }, [file, isPdf]);
  const Icon = isPdf ? IconFileTypePdf : IconPhoto;
  return (
    <>
      {!isPdf && address !== undefined && (
        <img className={classes.preview} src={address} alt={`Preview of ${file.name}`} />
      )}
      <Inline as="p" gap={8} align="center" className="small anywhere">
        <Icon size={20} stroke={1.6} aria-hidden /> {file.name}, {formatBytes(file.size)}
      </Inline>
    </>
  );
}

function formatBytes(bytes: number): string {
  const megabytes = bytes / 1024 / 1024;
  return megabytes >= 1 ? `${megabytes.toFixed(1)} MB` : `${Math.max(1, Math.round(bytes / 1024))} kB`;
}
