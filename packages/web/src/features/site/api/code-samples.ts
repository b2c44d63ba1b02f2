import curl from "../../../../public/downloads/send-sms.sh?raw";
import node from "../../../../public/downloads/send-sms.mjs?raw";
import php from "../../../../public/downloads/send-sms.php?raw";
import python from "../../../../public/downloads/send-sms.py?raw";

/** The downloads, shown as they are. */
export const codeSamples = [
  { language: "curl", file: "send-sms.sh", text: curl },
  { language: "Node.js", file: "send-sms.mjs", text: node },
  { language: "PHP", file: "send-sms.php", text: php },
  { language: "Python", file: "send-sms.py", text: python },
] as const;

export const DOWNLOAD_FOLDER = "/downloads/";
export const DOCUMENTATION_FILE = "sms-api.md";
