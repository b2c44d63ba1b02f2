import classes from "./code-block.module.css";

type CodeBlockProps = {
  /** The name of the code for screen readers. */
  label: string;
  text: string;
};

/** Code that may be wider than the page: its box scrolls, also with the keyboard. */
export function CodeBlock({ label, text }: CodeBlockProps) {
  return (
    <pre className={classes.block} tabIndex={0} role="region" aria-label={label}>
      <code>{text.trimEnd()}</code>
    </pre>
  );
}
