/**
 * What a page is laid out with: things below each other, beside each other, and in tiles of one width. They draw no lines and have
 * no colours. Their rules are in `styles/layout.css`, in a layer below every other rule of ours: a module that must differ, say on
 * a wide screen, names the same element and wins.
 */
import { createElement, type ComponentProps, type JSX } from "react";

type Tag = keyof JSX.IntrinsicElements;

/** The distances of the product, in px. */
type Space = 0 | 2 | 4 | 6 | 8 | 10 | 12 | 16 | 20 | 24;

type BoxProps<T extends Tag> = Omit<ComponentProps<T>, "as"> & {
  /** The element; a list loses its bullets, and a fieldset its frame. */
  as?: T;
  /** Between the parts. */
  gap?: Space;
  /** Between parts beside each other, where it differs. */
  across?: Space;
  /** Between the box and what stands before it. */
  above?: Space;
  /** Between the box and what comes after it. */
  below?: Space;
};

type StackProps<T extends Tag> = BoxProps<T> & {
  /** Parts as wide as their content, at this side; or, where a module puts them beside each other, no higher than it. */
  align?: "start" | "center" | "top";
  /** Rows with a line between them, and so much on each side of it. */
  divided?: 12 | 16;
};

/** Parts below each other, as wide as the stack. */
export function Stack<T extends Tag = "div">({ align, divided, ...props }: StackProps<T>) {
  return makeBox("stack", props, [align && `stack-${align}`, divided && `divided-${divided}`]);
}

type InlineProps<T extends Tag> = BoxProps<T> & {
  align?: "start" | "center" | "baseline";
  /** Where the width goes that is left. */
  justify?: "between" | "center" | "end";
  /** What finds no room goes to the next line. */
  wraps?: boolean;
};

/** Parts beside each other. */
export function Inline<T extends Tag = "div">({ align, justify, wraps, ...props }: InlineProps<T>) {
  return makeBox("inline", props, [align && `inline-${align}`, justify && `justify-${justify}`, wraps && "wraps"]);
}

type TilesProps<T extends Tag> = BoxProps<T> & {
  /** Least width of a tile, in px: as many stand beside each other as have it. */
  min: number;
  /** A few tiles keep the width that they have in a whole row; otherwise they fill it. */
  keepsEmpty?: boolean;
  align?: "start";
};

/** Parts of one width, in as many columns as there is room for. */
export function Tiles<T extends Tag = "div">({ min, keepsEmpty, align, style, ...props }: TilesProps<T>) {
  const sized = { ...props, style: { ...style, "--tile": `${min}px` } } as unknown as BoxProps<T>;
  return makeBox("tiles", sized, [keepsEmpty && "tiles-kept", align && `tiles-${align}`]);
}

function makeBox<T extends Tag>(kind: string, props: BoxProps<T>, more: readonly (string | false | undefined)[]) {
  const { as = "div", gap, across, above, below, className, ...rest } = props as BoxProps<"div">;
  const names = [
    kind,
    ...more,
    gap && `gap-${gap}`,
    across !== undefined && `across-${across}`,
    above && `above-${above}`,
    below && `below-${below}`,
    className,
  ];
  return createElement(as, { ...rest, className: names.filter(Boolean).join(" ") });
}
