import type { PageRule } from "@ewebal/contract";
import { formatUnits, MILLI_PER_UNIT } from "@ewebal/contract/rules";
import { Inline, Stack } from "../../../ui/layout/boxes.tsx";
import { formatCount, formatCounted, formatRate } from "../../../lib/texts/format.ts";
import { paths } from "../../../lib/paths.ts";
import { Callout } from "../../../ui/kit/callout.tsx";
import { ButtonLink } from "../../../ui/kit/links.tsx";
import { Panel } from "../../../ui/layout/panel.tsx";
import type { Price } from "./price.ts";
import figureListClasses from "./figure-list.module.css";

type PriceCardProps = {
  price: Price;
  pageRule: PageRule;
  /** The message waits for its time, and its units with it. */
  isScheduled?: boolean;
};

/** The live charge, factor by factor, and what is left of the balance. */
export function PriceCard(props: PriceCardProps) {
  return (
    <Panel title="SMS charge">
      <PriceFigures {...props} />
    </Panel>
  );
}

/** The same without its card, for where there is one already. */
export function PriceFigures({ price, pageRule, isScheduled = false }: PriceCardProps) {
  const { recipients, pages, pageCounts, rateMilli, chargeMilli, remainingMilli } = price;
  // What the server would refuse with NO_PRICE is said before it is sent.
  if (price.isUnpriced) return <Callout tone="warn" title="This country has no price yet. Ask us for one" />;
  const unit = pageRule === "gsm" ? "SMS part" : "page";
  const isShort = remainingMilli !== undefined && remainingMilli < 0;
  return (
    <>
      <FigureList
        figures={[
          { name: "Recipients", value: formatCount(recipients) },
          ...(pageCounts?.map(({ pages: own, count }) => ({
            name: `of ${formatCounted(own, unit)}`,
            value: formatCount(count),
          })) ?? [{ name: pageRule === "gsm" ? "SMS parts" : "Pages", value: `× ${formatCount(pages)}` }]),
          { name: "Units per page", value: `× ${formatRate(rateMilli / MILLI_PER_UNIT)}` },
          { name: isScheduled ? "Reserved" : "Charge", value: formatUnits(chargeMilli), isTotal: true },
          {
            name: "Balance after",
            value: remainingMilli === undefined ? "" : formatUnits(remainingMilli),
            tone: isShort ? "error" : undefined,
          },
        ]}
      />
      {isShort && (
        <div className="above-12">
          <Callout
            tone="warn"
            title={`You need ${formatUnits(-remainingMilli)} more units`}
            action={
              <ButtonLink to={paths.buySms} data-least="owner" size="xs" variant="default">
                Buy SMS units
              </ButtonLink>
            }
          />
        </div>
      )}
      {isScheduled && (
        <p className="above-12 muted tiny">Reserved now, and returned if you delete the message before it is sent.</p>
      )}
      <p className="above-12 muted tiny">Numbers on the do-not-disturb list are skipped and not charged.</p>
    </>
  );
}

export type Figure = {
  name: string;
  value: string;
  /** Set apart by lines, and larger. */
  isTotal?: boolean;
  tone?: "error" | undefined;
};

/** Names left, figures right: a bill, or the facts of a message. */
export function FigureList({ figures }: { figures: readonly Figure[] }) {
  return (
    <Stack as="dl" gap={4}>
      {figures.map(({ name, value, isTotal = false, tone }) => (
        <Inline
          key={name}
          gap={16}
          align="baseline"
          justify="between"
          className={`${figureListClasses.row} small`}
          data-total={isTotal || undefined}
          data-tone={tone}
        >
          <dt>{name}</dt>
          <dd>{value}</dd>
        </Inline>
      ))}
    </Stack>
  );
}
