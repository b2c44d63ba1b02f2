/** The numbers of SMPP 3.4 (specification v3.4 issue 1.2, sections 5.1.2.1, 5.2 and 5.3.2). */

export const command = {
  genericNack: 0x80000000,
  bindReceiver: 0x00000001,
  bindReceiverResp: 0x80000001,
  bindTransmitter: 0x00000002,
  bindTransmitterResp: 0x80000002,
  querySm: 0x00000003,
  querySmResp: 0x80000003,
  submitSm: 0x00000004,
  submitSmResp: 0x80000004,
  deliverSm: 0x00000005,
  deliverSmResp: 0x80000005,
  unbind: 0x00000006,
  unbindResp: 0x80000006,
  replaceSm: 0x00000007,
  replaceSmResp: 0x80000007,
  cancelSm: 0x00000008,
  cancelSmResp: 0x80000008,
  bindTransceiver: 0x00000009,
  bindTransceiverResp: 0x80000009,
  outbind: 0x0000000b,
  enquireLink: 0x00000015,
  enquireLinkResp: 0x80000015,
  alertNotification: 0x00000102,
  dataSm: 0x00000103,
  dataSmResp: 0x80000103,
} as const;

/** Set in the command id of every answer. */
export const RESPONSE_BIT = 0x80000000;

export const tlv = {
  qosTimeToLive: 0x0017,
  receiptedMessageId: 0x001e,
  userMessageReference: 0x0204,
  sarMsgRefNum: 0x020c,
  sarTotalSegments: 0x020e,
  sarSegmentSeqnum: 0x020f,
  scInterfaceVersion: 0x0210,
  availabilityStatus: 0x0422,
  networkErrorCode: 0x0423,
  messagePayload: 0x0424,
  messageState: 0x0427,
} as const;

export const esmClass = {
  /** Bits 5 to 2 say what a deliver_sm or data_sm is. */
  typeMask: 0x3c,
  deliveryReceipt: 0x04,
  /** An intermediate delivery notification: a receipt whose state is not final. */
  intermediateNotification: 0x20,
  /** The short message begins with a user data header. */
  userDataHeader: 0x40,
} as const;

export const dataCoding = {
  /** The carrier's default alphabet, which is GSM 03.38, one septet an octet, unless the carrier says otherwise. */
  carrierDefault: 0,
  latin1: 3,
  octets: 4,
  ucs2: 8,
} as const;

export const typeOfNumber = { unknown: 0, international: 1, national: 2, networkSpecific: 3, alphanumeric: 5 } as const;

export const numberingPlan = { unknown: 0, isdn: 1 } as const;

export const INTERFACE_VERSION = 0x34;

export const HEADER_OCTETS = 16;

/** Nothing in SMPP 3.4 needs more; a longer one means that the two ends have lost the PDU borders. */
export const PDU_OCTETS_MAX = 65_536;

/** Sequence numbers run from 1 to this (section 3.2). */
export const SEQUENCE_MAX = 0x7fffffff;
