/** The part of split-sms that the comparison uses; the package ships no types. */
declare module "split-sms" {
  type SplitMessage = {
    characterSet: "GSM" | "Unicode";
    parts: Array<{ content: string; length: number; bytes: number }>;
    bytes: number;
    length: number;
  };
  const splitSms: { split(text: string): SplitMessage };
  export default splitSms;
}
