import classes from "./person-badge.module.css";

type PersonBadgeProps = {
  userName: string;
  fullName: string;
};

/** The first letter of the user name, and both names where there is room. */
export function PersonBadge({ userName, fullName }: PersonBadgeProps) {
  return (
    <div className={classes.person}>
      <span className={classes.avatar} aria-hidden>
        {String.fromCodePoint(userName.codePointAt(0) ?? 0x20).toUpperCase()}
      </span>
      <span className={classes.names}>
        <span className={classes.userName}>{userName}</span>
        <span className={classes.fullName}>{fullName}</span>
      </span>
    </div>
  );
}
