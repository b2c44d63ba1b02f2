import { TextInput } from "@mantine/core";
import { limits } from "@ewebal/contract/rules";
import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { useCurrentUser } from "../../../shared/account/current-user.ts";
import { paths } from "../../../lib/paths.ts";
import { TextLink } from "../../../ui/kit/links.tsx";
import { Inline, Stack } from "../../../ui/layout/boxes.tsx";
import { type Composer, useComposition } from "./composer.ts";
import { isSenderNameTooLong } from "./missing-for-send.ts";
import classes from "./send-sms.module.css";
import { whitelistsQuery } from "../message-queries.ts";
/** More names than these are offered by the browser's own list, as one types. */
const OFFERED_MAX = 6;

type SenderNameFieldProps = {
  composer: Composer;
  /** The field holds more than a name may have, as the catalog's dialog specifies; what is too long is said, never cut. */
  isWide?: boolean;
};

/** The name that people see above the message: an approved one at a touch, or another that is still to be approved. */
export function SenderNameField({ composer, isWide = false }: SenderNameFieldProps) {
  const senderName = useComposition(composer, (composition) => composition.senderName);
  const { data } = useQuery(whitelistsQuery(composer.userId));
  const { data: user } = useCurrentUser();
  // The customer's record has them too, and is there before: fields below the names would jump when they come.
  const approved = data?.senderNames ?? user?.senderID ?? [];
  const isKnown = data !== undefined || approved.includes(senderName);
  const onlyName = approved.length === 1 ? approved[0] : undefined;

  useEffect(() => {
    // Most customers have one name; nobody should have to type it.
    if (onlyName !== undefined && composer.getState().senderName === "") composer.set({ senderName: onlyName });
  }, [composer, onlyName]);

  const isWaiting =
    data?.requests.some((request) => request.senderName === senderName && request.state === "pending") ?? false;
  return (
    <Stack gap={8}>
      <TextInput
        label="Sender name"
        value={senderName}
        onChange={({ currentTarget }) => composer.set({ senderName: currentTarget.value })}
        maxLength={isWide ? limits.catalogSenderInputCharactersMax : limits.senderNameCharactersMax}
        error={
          isSenderNameTooLong(senderName) &&
          `${senderName.length} characters; a sender name has at most ${limits.senderNameCharactersMax}`
        }
        list={approved.length > OFFERED_MAX ? "approved-sender-names" : undefined}
        autoComplete="off"
        spellCheck={false}
        inputWrapperOrder={["label", "input", "error", "description"]}
        classNames={{ description: classes.hint }}
        description={
          isKnown ? (
            <>
              {isWide && `At most ${limits.senderNameCharactersMax} characters. `}
              <Hint senderName={senderName} approved={approved} isWaiting={isWaiting} />
            </>
          ) : (
            " "
          )
        }
      />
      {approved.length > OFFERED_MAX && (
        <datalist id="approved-sender-names">
          {approved.map((name) => (
            <option key={name} value={name} />
          ))}
        </datalist>
      )}
      {approved.length > 1 && (
        <Inline as="ul" gap={6} wraps aria-label="Approved sender names">
          {approved.slice(0, OFFERED_MAX).map((name) => (
            <li key={name}>
              <button
                type="button"
                className={classes.name}
                aria-pressed={name === senderName}
                onClick={() => composer.set({ senderName: name })}
              >
                {name}
              </button>
            </li>
          ))}
        </Inline>
      )}
    </Stack>
  );
}

type HintProps = {
  senderName: string;
  approved: readonly string[];
  isWaiting: boolean;
};

function Hint({ senderName, approved, isWaiting }: HintProps) {
  const whitelists = <TextLink to={paths.whitelists}>Whitelists</TextLink>;
  if (approved.includes(senderName)) return <>Approved. For another name, ask on {whitelists}</>;
  if (isWaiting)
    return (
      <span className={classes.caution}>
        {senderName} is waiting for approval, see {whitelists}
      </span>
    );
  if (senderName.trim() !== "")
    return (
      <span className={classes.caution}>
        {senderName} is not approved. Ask for it on {whitelists}
      </span>
    );
  if (approved.length === 0) return <>You have no approved name yet. Ask for one on {whitelists}</>;
  return <>Choose an approved name, or ask for another on {whitelists}</>;
}
