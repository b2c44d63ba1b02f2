/** Every command status of SMPP 3.4 (section 5.1.3). */
export const commandStatus = {
  ESME_ROK: 0x00000000,
  ESME_RINVMSGLEN: 0x00000001,
  ESME_RINVCMDLEN: 0x00000002,
  ESME_RINVCMDID: 0x00000003,
  ESME_RINVBNDSTS: 0x00000004,
  ESME_RALYBND: 0x00000005,
  ESME_RINVPRTFLG: 0x00000006,
  ESME_RINVREGDLVFLG: 0x00000007,
  ESME_RSYSERR: 0x00000008,
  ESME_RINVSRCADR: 0x0000000a,
  ESME_RINVDSTADR: 0x0000000b,
  ESME_RINVMSGID: 0x0000000c,
  ESME_RBINDFAIL: 0x0000000d,
  ESME_RINVPASWD: 0x0000000e,
  ESME_RINVSYSID: 0x0000000f,
  ESME_RCANCELFAIL: 0x00000011,
  ESME_RREPLACEFAIL: 0x00000013,
  ESME_RMSGQFUL: 0x00000014,
  ESME_RINVSERTYP: 0x00000015,
  ESME_RINVNUMDESTS: 0x00000033,
  ESME_RINVDLNAME: 0x00000034,
  ESME_RINVDESTFLAG: 0x00000040,
  ESME_RINVSUBREP: 0x00000042,
  ESME_RINVESMCLASS: 0x00000043,
  ESME_RCNTSUBDL: 0x00000044,
  ESME_RSUBMITFAIL: 0x00000045,
  ESME_RINVSRCTON: 0x00000048,
  ESME_RINVSRCNPI: 0x00000049,
  ESME_RINVDSTTON: 0x00000050,
  ESME_RINVDSTNPI: 0x00000051,
  ESME_RINVSYSTYP: 0x00000053,
  ESME_RINVREPFLAG: 0x00000054,
  ESME_RINVNUMMSGS: 0x00000055,
  ESME_RTHROTTLED: 0x00000058,
  ESME_RINVSCHED: 0x00000061,
  ESME_RINVEXPIRY: 0x00000062,
  ESME_RINVDFTMSGID: 0x00000063,
  ESME_RX_T_APPN: 0x00000064,
  ESME_RX_P_APPN: 0x00000065,
  ESME_RX_R_APPN: 0x00000066,
  ESME_RQUERYFAIL: 0x00000067,
  ESME_RINVOPTPARSTREAM: 0x000000c0,
  ESME_ROPTPARNOTALLWD: 0x000000c1,
  ESME_RINVPARLEN: 0x000000c2,
  ESME_RMISSINGOPTPARAM: 0x000000c3,
  ESME_RINVOPTPARAMVAL: 0x000000c4,
  ESME_RDELIVERYFAILURE: 0x000000fe,
  ESME_RUNKNOWNERR: 0x000000ff,
} as const;

export type CommandStatusName = keyof typeof commandStatus;

const nameByStatus = new Map<number, string>(Object.entries(commandStatus).map(([name, status]) => [status, name]));

/**
 * The specification's name of a status, for logs and for people.
 *
 * @returns e.g. `ESME_RTHROTTLED`, or `0x00000410` for one that the specification does not name (carriers have their
 *   own from 0x400 on).
 */
export function commandStatusName(status: number): string {
  return nameByStatus.get(status) ?? `0x${status.toString(16).padStart(8, "0")}`;
}

/** The carrier asks for less: the same submit will be taken later, at a lower rate. */
export function isThrottleStatus(status: number): boolean {
  return status === commandStatus.ESME_RTHROTTLED || status === commandStatus.ESME_RMSGQFUL;
}

/**
 * The carrier failed for reasons of its own: the same submit may be taken later. Throttling is included, and so is a
 * wrong bind status: a carrier that unbinds answers with it what crossed its unbind, and that says nothing of the message.
 */
export function isTemporaryStatus(status: number): boolean {
  return (
    isThrottleStatus(status) ||
    status === commandStatus.ESME_RSYSERR ||
    status === commandStatus.ESME_RX_T_APPN ||
    status === commandStatus.ESME_RINVBNDSTS
  );
}

/** A bind refused for who we are: trying again soon cannot help and looks like guessing a password. */
export function isCredentialStatus(status: number): boolean {
  return status === commandStatus.ESME_RINVPASWD || status === commandStatus.ESME_RINVSYSID;
}
