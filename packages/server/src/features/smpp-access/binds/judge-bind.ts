/** What a bind is answered: name and password, then the address, then what the key may do, then how many binds it has. */
import { commandStatus, type BindRequest } from "@ewebal/smpp";
import { AppError } from "../../../base/errors.ts";
import type { Deps } from "../../../base/deps.ts";
import { findNamedKey, isAddressAllowed, type ProgramKey } from "../../accounts/index.ts";
import type { BindRegistry } from "./bind-registry.ts";

export type JudgedBind = { kind: "bound"; key: ProgramKey; bindId: string } | { kind: "refused"; status: number };

export async function judgeBind(
  deps: Pick<Deps, "db" | "clock" | "config" | "log">,
  registry: BindRegistry,
  { systemId, password, role, remoteAddress }: BindRequest,
): Promise<JudgedBind> {
  try {
    const shown = { name: systemId, secret: password, clientAddress: remoteAddress };
    const key = await findNamedKey(deps, "smpp", shown);
    // One answer for both, so that nobody learns which names there are.
    if (key === undefined) return refused(commandStatus.ESME_RINVPASWD);
    if (!isAddressAllowed(key, remoteAddress)) return refused(commandStatus.ESME_RBINDFAIL);
    if (role !== "receiver" && !key.scopes.includes("messages:send")) return refused(commandStatus.ESME_RBINDFAIL);
    const bindId = await registry.add(key, role, remoteAddress);
    return bindId === undefined ? refused(commandStatus.ESME_RBINDFAIL) : { kind: "bound", key, bindId };
  } catch (error) {
    // A blocked customer's key, or too many wrong passwords from there.
    if (error instanceof AppError) return refused(commandStatus.ESME_RBINDFAIL);
    deps.log.error({ err: error }, "a bind could not be judged");
    return refused(commandStatus.ESME_RSYSERR);
  }
}

function refused(status: number): JudgedBind {
  return { kind: "refused", status };
}
