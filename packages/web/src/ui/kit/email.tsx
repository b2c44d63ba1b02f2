/** A usual address stays whole; a longer one than that breaks after its @ before it breaks anywhere else. */
const WHOLE_CHARACTERS_MAX = 28;

/** A mail address in a table or a list. */
export function Email({ email }: { email: string }) {
  if (email.length <= WHOLE_CHARACTERS_MAX) return <span className="nowrap">{email}</span>;
  const at = email.indexOf("@") + 1;
  return (
    <span>
      {email.slice(0, at)}
      <wbr />
      {email.slice(at)}
    </span>
  );
}
