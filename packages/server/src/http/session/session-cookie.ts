import { randomBytes } from "node:crypto";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Config } from "../../base/config.ts";

type CookieConfig = Pick<Config, "publicUrl">;

/** Behind https the browser itself holds the cookie to this host, this path and encrypted connections. */
function isSecure(config: CookieConfig): boolean {
  return config.publicUrl.startsWith("https:");
}

export function sessionCookieName(config: CookieConfig): string {
  return isSecure(config) ? "__Host-ewebal_session" : "ewebal_session";
}

/** Gives the browser the same session as the token in the answer, out of reach of any script. */
export function setSessionCookie(
  reply: FastifyReply,
  config: CookieConfig,
  session: { token: string; expiresAt: Date; deviceMark?: string | undefined },
): void {
  const options = { httpOnly: true, sameSite: "lax", secure: isSecure(config), path: "/" } as const;
  void reply.setCookie(sessionCookieName(config), session.token, { ...options, expires: session.expiresAt });
  if (session.deviceMark !== undefined)
    void reply.setCookie(deviceCookieName(config), session.deviceMark, { ...options, maxAge: DEVICE_SECONDS });
}

/** The longest that browsers keep a cookie. */
const DEVICE_SECONDS = 400 * 24 * 60 * 60;
/** 256 bits in base64url; anything else in the cookie is no mark. */
const DEVICE_MARK = /^[\w-]{43}$/;

function deviceCookieName(config: CookieConfig): string {
  return isSecure(config) ? "__Host-ewebal_device" : "ewebal_device";
}

/** @returns what a browser is recognised by: its mark, or a new one; undefined for programs, which keep no cookies. */
export function deviceMarkOf({ cookies, headers }: FastifyRequest, config: CookieConfig): string | undefined {
  const mark = cookies[deviceCookieName(config)];
  if (mark !== undefined && DEVICE_MARK.test(mark)) return mark;
  return headers["sec-fetch-site"] === undefined ? undefined : randomBytes(32).toString("base64url");
}

export function clearSessionCookie(reply: FastifyReply, config: CookieConfig): void {
  void reply.clearCookie(sessionCookieName(config), {
    httpOnly: true,
    sameSite: "lax",
    secure: isSecure(config),
    path: "/",
  });
}

/** @returns the token of a request and how it came: the header is a program's own choice and goes before the cookie. */
export function findSessionToken(
  request: FastifyRequest,
  config: CookieConfig,
): { token: string; via: "cookie" | "bearer" } | undefined {
  const { authorization } = request.headers;
  if (authorization !== undefined) {
    const token = /^Bearer +([\w.~+/=-]+)$/i.exec(authorization)?.[1];
    return token === undefined ? undefined : { token, via: "bearer" };
  }
  const token = request.cookies[sessionCookieName(config)];
  return token === undefined || token === "" ? undefined : { token, via: "cookie" };
}
