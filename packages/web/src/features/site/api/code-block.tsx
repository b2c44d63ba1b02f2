import classes from "./code-block.module.css";

type CodeBlockProps = {
  /** What it is, for screen readers. */
  label: string;
  text: string;
};

/** Code that may be wider than the page: it scrolls by itself, also with the keyboard. */
export function CodeBlock({ label, text }: CodeBlockProps) {
  return (
    <pre className={classes.block} tabIndex={0} role="region" aria-label={label}>
      <code>{text.trimEnd()}</code>
    </pre>
  );
}
