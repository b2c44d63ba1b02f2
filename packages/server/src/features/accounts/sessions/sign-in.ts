/** Signing in, for customers and administrators alike: the order of the checks, and what guessing costs. */
import { CLOSED_ACCOUNT_DAYS, lagosMoment } from "@ewebal/contract";
import type { Deps } from "../../../base/deps.ts";
import { AppError } from "../../../base/errors.ts";
import type { Queryable } from "../../../db/pool.ts";
import { type Tx, withTransaction } from "../../../db/transaction.ts";
import { customerSignedIn, publishChange } from "../../../events/index.ts";
import { logSecurityEvent } from "../../../http/monitoring/security-log.ts";
import type { Session } from "../../../http/session/session.ts";
import { guessNobodys, inTurnOf, isGuessRight } from "../passwords/guess-password.ts";
import { customers, type PasswordOwner } from "../passwords/password-owner.ts";
import { findHomeAccount } from "../members/member-store.ts";
import { checkSecondFactor } from "../second-factor/check-second-factor.ts";
import { type Credentials, findCredentialsByEmail, lockCredentials, markSignedIn } from "../users/user-store.ts";
import { noteDevice } from "./known-devices.ts";
import { type OpenedSession, openSession, type SessionOrigin } from "./sessions.ts";

const DAY_MS = 24 * 3_600_000;

export type SignInAccount = {
  actorId: string;
  passwordHash: string;
  isVerified: boolean;
  isBlocked: boolean;
  isWaiting?: boolean;
  /** When its owner closed the account. */
  closedAt?: Date | null;
};

/** How one kind of person is found. `lock` holds the row until the transaction ends. */
export type AccountFinder = {
  kind: Session["kind"];
  /** How the same kind of person has a password and a second factor. */
  owner: PasswordOwner;
  findByEmail: (db: Queryable, email: string) => Promise<SignInAccount | undefined>;
  lock: (tx: Queryable, actorId: string) => Promise<SignInAccount | undefined>;
  /** Called in the transaction that begins the session. */
  noteSignIn?: (tx: Queryable, actorId: string, now: Date) => Promise<void>;
};

export type SignInRequest = { email: string; password: string; code?: string | undefined } & SessionOrigin;

/**
 * @throws AppError `EMAIL_UNKNOWN`, `PASSWORD_WRONG`, then, only to callers who know the password, `ACCOUNT_CLOSED`, `BLOCKED`, `NOT_VERIFIED`, `APPROVAL_REQUIRED`,
 *   `CODE_REQUIRED`, `CODE_WRONG`; `RATE_LIMITED` instead of any of them when this address has guessed too often.
 */
export async function signIn(deps: Deps, finder: AccountFinder, request: SignInRequest): Promise<OpenedSession> {
  const account = await checkPassword(deps, finder, request);
  refuseClosed(finder, account);
  const { actorId, passwordHash } = account;
  const about = { account: { kind: finder.kind, id: actorId } };
  const hasShownFactor = await checkSecondFactor(deps, finder.owner, actorId, {
    code: request.code,
    clientAddress: request.clientAddress,
  });
  return await beginSession(deps, finder, actorId, {
    origin: request,
    hasShownFactor,
    recheck: async (_tx, locked) => {
      if (locked?.passwordHash !== passwordHash) throw new AppError("PASSWORD_WRONG", about);
    },
  });
}

/**
 * Begins the session of a person who has proven who they are.
 *
 * @param way recheck: under the row's lock, because a new password or a removed passkey in the meantime must not leave a session behind.
 * @throws AppError of `recheck`; `BLOCKED`, `NOT_VERIFIED`, `APPROVAL_REQUIRED`.
 */
export async function beginSession(
  deps: Deps,
  finder: AccountFinder,
  actorId: string,
  way: {
    origin: SessionOrigin;
    hasShownFactor: boolean;
    recheck: (tx: Tx, locked: SignInAccount | undefined) => Promise<void>;
  },
): Promise<OpenedSession> {
  const { origin, hasShownFactor } = way;
  const about = { account: { kind: finder.kind, id: actorId } };
  const session = await withTransaction(deps.db, async (tx) => {
    const locked = await finder.lock(tx, actorId);
    await way.recheck(tx, locked);
    if (locked === undefined) throw new AppError("AUTH_REQUIRED", about);
    refuseClosed(finder, locked);
    await finder.noteSignIn?.(tx, actorId, deps.clock.now());
    await noteDevice(deps, tx, finder.owner, actorId, origin);
    return await openSession(deps, tx, { kind: finder.kind, actorId }, { ...origin, hasShownFactor });
  });
  const { clientAddress: address, requestId } = origin;
  logSecurityEvent(deps.log, { event: "signed-in", ...about, address, requestId });
  return { ...session, deviceMark: origin.deviceMark };
}

function refuseClosed({ kind }: AccountFinder, account: SignInAccount): void {
  const { actorId, isBlocked, isVerified, isWaiting, closedAt } = account;
  const about = { account: { kind, id: actorId } };
  if (isBlocked && closedAt) throw new AppError("ACCOUNT_CLOSED", { ...about, message: closedWords(closedAt) });
  if (isBlocked) throw new AppError("BLOCKED", about);
  if (!isVerified) throw new AppError("NOT_VERIFIED", about);
  if (isWaiting === true) throw new AppError("APPROVAL_REQUIRED", about);
}

function closedWords(closedAt: Date): string {
  const erasedAt = new Date(closedAt.getTime() + CLOSED_ACCOUNT_DAYS * DAY_MS);
  return `This account is closed. Contact support before ${lagosMoment(erasedAt)} to open it again; then it is erased`;
}

async function checkPassword(
  deps: Deps,
  finder: AccountFinder,
  { email, password, clientAddress, deviceMark }: SignInRequest,
): Promise<SignInAccount> {
  const { kind } = finder;
  const account = await inTurnOf(deps, clientAddress, () => finder.findByEmail(deps.db, email));
  if (account === undefined) {
    await guessNobodys(deps, { password, clientAddress });
    throw new AppError("EMAIL_UNKNOWN");
  }
  const { actorId, passwordHash } = account;
  const isRight = await isGuessRight(deps, { kind, actorId, passwordHash, password, clientAddress, deviceMark });
  if (!isRight) throw new AppError("PASSWORD_WRONG", { account: { kind, id: actorId } });
  return account;
}

export const customerFinder: AccountFinder = {
  kind: "user",
  owner: customers,
  findByEmail: async (db, email) => accountOf(await findCredentialsByEmail(db, email)),
  lock: async (tx, userId) => accountOf(await lockCredentials(tx, userId)),
  noteSignIn: async (tx, userId, now) => {
    // A session for a blocked account must not begin: the block waits for this row, or has ended all there were.
    const home = await findHomeAccount(tx, userId);
    if (home !== undefined && (await lockCredentials(tx, home))?.isBlocked === true) throw new AppError("BLOCKED");
    await markSignedIn(tx, userId, now);
    await publishChange(tx, customerSignedIn());
  },
};

/** @throws AppError as `signIn` says. */
export async function signInUser(deps: Deps, request: SignInRequest): Promise<OpenedSession> {
  return await signIn(deps, customerFinder, request);
}

function accountOf(user: Credentials | undefined): SignInAccount | undefined {
  return (
    user && {
      actorId: user.userId,
      passwordHash: user.passwordHash,
      isVerified: user.isVerified,
      isBlocked: user.isBlocked,
      closedAt: user.closedAt,
    }
  );
}
