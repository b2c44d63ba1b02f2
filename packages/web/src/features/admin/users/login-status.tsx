import { Badge } from "@mantine/core";

/** Whether a customer has an active session. */
export function LoginStatus({ isActive }: { isActive: boolean }) {
  return (
    <Badge miw="max-content" color={isActive ? "green" : "gray"} variant="light">
      {isActive ? "Active" : "Inactive"}
    </Badge>
  );
}
