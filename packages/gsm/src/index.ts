export {
  basicCharacterOf,
  ESCAPE_SEPTET,
  extensionCharacterOf,
  isGsmText,
  septetCountOf,
  septetOf,
} from "./gsm-alphabet.ts";
export { type ForcingCharacter, listForcingCharacters, toPlainCharacters } from "./plain-characters.ts";
export {
  countParts,
  type Measurement,
  measureText,
  type Segmentation,
  type SegmentationOptions,
  segmentText,
  type SmsEncoding,
} from "./segmentation.ts";
export { decodeGsm7Unpacked, decodeUtf16Be, encodeGsm7Unpacked, encodeUtf16Be } from "./wire-encoding.ts";
