import { adminCalls } from "@ewebal/contract/calls";
import { Button } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useNavigate, useParams } from "@tanstack/react-router";
import { useId, useState, type ReactNode } from "react";
import { ApiError, call } from "../../../lib/api/api.ts";
import { paths } from "../../../lib/paths.ts";
import { ButtonLink, TextLink } from "../../../ui/kit/links.tsx";
import { showNotice } from "../../../ui/feedback/notices.tsx";
import { Refusal } from "../../../ui/feedback/refusal.tsx";
import { ScreenHeading } from "../../../shared/account/screen-heading.tsx";
import { ScreenAside } from "../../../shared/account/screen-parts.tsx";
import { OtpBoxes, emptyOtp, type OtpDigits } from "./otp-boxes.tsx";

/** The target of the OTP mail's link: takes the code, and sends it when the last digit is entered. */
export function VerifyOtpPage() {
  const { token = "" } = useParams({ strict: false });
  const navigate = useNavigate();
  const errorId = useId();
  const [digits, setDigits] = useState(emptyOtp);
  const verification = useMutation({
    mutationFn: (otp: string) => call(adminCalls.verifyOtp, { params: { token }, body: { otp } }),
    onSuccess: async ({ message }) => {
      showNotice({ title: message, text: "A verification mail has been sent to you" });
      await navigate({ to: paths.otpMessage, state: { adminMail: { kind: "verification" } } });
    },
    onError: (error) => {
      // After a refusal the person types another code; a code that never reached the server is sent again unchanged.
      if (isRefusal(error)) setDigits(emptyOtp);
    },
  });
  const { error, isPending, isSuccess } = verification;

  const change = (next: OtpDigits): void => {
    setDigits(next);
    if (next.every((digit) => digit !== "")) verification.mutate(next.join(""));
  };
  return (
    <>
      <ScreenHeading title="Enter the code">
        We sent you a code of 4 digits by mail. It works for 10 minutes.
      </ScreenHeading>
      <OtpBoxes
        label="Code of 4 digits"
        digits={digits}
        onDigits={change}
        isReadOnly={isPending || isSuccess}
        errorId={error === null ? undefined : errorId}
      />
      {isPending && <ScreenAside isStatus>Checking the code...</ScreenAside>}
      {error !== null && (
        <div id={errorId}>
          <Refusal screen="adminOtp" error={error} action={wayOn(error, () => change(digits))} />
        </div>
      )}
      <ScreenAside>
        Wrong page? <TextLink to={paths.adminLogin}>Login</TextLink>
      </ScreenAside>
    </>
  );
}

function isRefusal(error: Error): boolean {
  return error instanceof ApiError && error.status < 500;
}

/** The one button of a refused code, when typing again is not enough. */
function wayOn(error: Error, onRetry: () => void): ReactNode {
  if (!isRefusal(error)) {
    return (
      <Button size="xs" variant="default" onClick={onRetry}>
        Try again
      </Button>
    );
  }
  // A wrong code can be typed again; an expired code or link needs a new registration.
  if (!(error instanceof ApiError) || (error.code !== "OTP_INVALID" && error.code !== "LINK_INVALID")) return undefined;
  return (
    <ButtonLink to={paths.adminRegister} size="xs" variant="default">
      Register again
    </ButtonLink>
  );
}
