import classes from "./person-badge.module.css";
import { Inline } from "../../ui/layout/boxes.tsx";

type PersonBadgeProps = {
  userName: string;
  fullName: string;
};

/** The first letter of the user name, and both names where there is room. */
export function PersonBadge({ userName, fullName }: PersonBadgeProps) {
  return (
    <Inline gap={10} align="center" className="shrinkable">
      <span className={classes.avatar} aria-hidden>
        {String.fromCodePoint(userName.codePointAt(0) ?? 0x20).toUpperCase()}
      </span>
      <span className={classes.names}>
        <span className="small strong">{userName}</span>
        <span className="muted tiny">{fullName}</span>
      </span>
    </Inline>
  );
}
