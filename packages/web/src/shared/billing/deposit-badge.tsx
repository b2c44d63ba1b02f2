import { Badge } from "@mantine/core";
import type { DepositState } from "@ewebal/contract";
import { IconCheck, IconClock, IconX } from "@tabler/icons-react";
import { depositStateLabels } from "./deposits.ts";

const looks = {
  pending: { color: "blue", Icon: IconClock },
  verified: { color: "green", Icon: IconCheck },
  declined: { color: "red", Icon: IconX },
  withdrawn: { color: "gray", Icon: IconX },
} as const;

type DepositBadgeProps = {
  state: DepositState;
  /** In place of the state's own word. */
  label?: string;
  size?: "md" | "lg";
};

/** The state of a deposit: a tick, a cross or a clock, with the word beside it. */
export function DepositBadge({ state, label = depositStateLabels[state], size = "md" }: DepositBadgeProps) {
  const { color, Icon } = looks[state];
  return (
    <Badge color={color} variant="light" size={size} leftSection={<Icon size={14} stroke={2.2} aria-hidden />}>
      {label}
    </Badge>
  );
}
