export type Curve = {
  name: string;
  /** What it costs at each size, as a multiple of the first. */
  ratios: number[];
  /** Of what reads everything on purpose; all others are to stay below the bound. */
  isExpectedToGrow: boolean;
};

const WIDTH = 960;
const LEFT = 70;
const RIGHT = 400;
const TOP = 50;
const ROW = 15;
const BOUND = 1.3;
const LINES = [0.5, 1, 2, 5, 10, 20, 50, 100];
const COLOURS = ["#2f5d62", "#b5651d", "#6a4c93", "#1d6fb5", "#8a8d1f", "#a23b52"];

/** @param sizes in millions of recipients, rising. @returns a picture (SVG) with both axes logarithmic. */
export function drawCurves(sizes: readonly number[], curves: readonly Curve[]): string {
  const height = Math.max(420, TOP * 2 + curves.length * ROW);
  const bottom = height - TOP;
  const [lowest, highest] = [0.5, Math.max(2, ...curves.flatMap(({ ratios }) => ratios))];
  const first = sizes[0] ?? 1;
  const last = sizes.at(-1) ?? 1;
  const x = (size: number): number => LEFT + ((WIDTH - LEFT - RIGHT) * Math.log(size / first)) / Math.log(last / first);
  const y = (ratio: number): number =>
    bottom - ((bottom - TOP) * Math.log(Math.max(ratio, lowest) / lowest)) / Math.log(highest / lowest);
  const at = (value: number): string => value.toFixed(1);
  const right = at(WIDTH - RIGHT);
  const grid = LINES.filter((line) => line <= highest).map(
    (line) =>
      `<path d="M${LEFT} ${at(y(line))}H${right}" stroke="#ddd"/><text x="${LEFT - 8}" y="${at(y(line) + 4)}" text-anchor="end">${line}</text>`,
  );
  const axis = sizes.map(
    (size) => `<text x="${at(x(size))}" y="${bottom + 20}" text-anchor="middle">${size} million</text>`,
  );
  const order = curves.toSorted((one, other) => (other.ratios.at(-1) ?? 0) - (one.ratios.at(-1) ?? 0));
  const lines = order.map(({ name, ratios, isExpectedToGrow }, index) => {
    const colour = COLOURS[index % COLOURS.length] ?? "#000";
    const points = ratios.map((ratio, place) => `${at(x(sizes[place] ?? 1))},${at(y(ratio))}`);
    const dash = isExpectedToGrow ? ' stroke-dasharray="6 4"' : "";
    const label = TOP + index * ROW;
    const end = y(ratios.at(-1) ?? 1);
    return `<polyline points="${points.join(" ")}" fill="none" stroke="${colour}" stroke-width="1.5"${dash}/>
<path d="M${right} ${at(end)}L${at(WIDTH - RIGHT + 24)} ${label - 4}" stroke="${colour}" stroke-opacity=".35"/>
<text x="${WIDTH - RIGHT + 28}" y="${label}" fill="${colour}">${(ratios.at(-1) ?? Number.NaN).toFixed(2)}  ${name}</text>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" font-family="sans-serif" font-size="11">
<rect width="${WIDTH}" height="${height}" fill="#fff"/>
<text x="${LEFT}" y="24" font-size="14">What it costs against stored recipients, as a multiple of the first size</text>
${grid.join("\n")}
${axis.join("\n")}
<path d="M${LEFT} ${at(y(BOUND))}H${right}" stroke="#c00" stroke-dasharray="2 3"/><text x="${LEFT + 4}" y="${at(y(BOUND) - 4)}" fill="#c00">${BOUND}</text>
${lines.join("\n")}
</svg>
`;
}
