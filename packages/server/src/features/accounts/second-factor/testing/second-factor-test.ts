import { Secret, TOTP } from "otpauth";
import type { App } from "../../../../http/app-type.ts";
import { expect, test as base, type FakeClock } from "../../../../testing/app.ts";
import { type BuiltAdmin, type BuiltUser, FACTORY_PASSWORD } from "../../../../testing/factories.ts";

export type Headers = Record<string, string>;
type Answer = { status: number; body: { message: string; code?: string; data?: unknown; retryAfterSeconds?: number } };
type Person = BuiltUser | BuiltAdmin;
type Factor = { secret: string; recoveryCodes: string[]; headers: Headers };

export const STEP_MS = 30_000;

export function codeOf(secret: string, clock: FakeClock, steps = 0): string {
  return TOTP.generate({ secret: Secret.fromBase32(secret), timestamp: clock.now().getTime() + steps * STEP_MS });
}

/** A code of the right form that no step near this one has. */
export function wrongCode(secret: string, clock: FakeClock): string {
  const near = [-1, 0, 1].map((steps) => codeOf(secret, clock, steps));
  return ["111111", "222222", "333333", "444444"].find((code) => !near.includes(code)) ?? "";
}

export async function ask(
  app: App,
  method: "GET" | "POST" | "PATCH" | "DELETE",
  url: string,
  headers: Headers,
  payload?: object,
): Promise<Answer> {
  const answer = await app.inject({ method, url, headers, ...(payload !== undefined && { payload }) });
  return { status: answer.statusCode, body: answer.json() };
}

export const test = base.extend<{
  signIn: (person: Person, code?: string, remoteAddress?: string) => Promise<Answer & { headers: Headers }>;
  /** Turns the second factor on and moves on by a minute, so that a code of now is a new one. */
  turnOn: (person: Person) => Promise<Factor>;
}>({
  signIn: async ({ app }, use) => {
    await use(async ({ kind, email }, code, remoteAddress = "192.0.2.1") => {
      const payload = { email, password: FACTORY_PASSWORD, ...(code !== undefined && { code }) };
      const answer = await app.inject({ method: "POST", url: `/api/sign-in-${kind}`, payload, remoteAddress });
      const body = answer.json<Answer["body"]>();
      return { status: answer.statusCode, body, headers: { authorization: `Bearer ${String(body.data)}` } };
    });
  },
  turnOn: async ({ app, clock, signInAs }, use) => {
    await use(async (person) => {
      const headers = await signInAs(person);
      const started = await ask(app, "POST", `/api/${person.id}/start-two-factor`, headers);
      const { secret } = started.body.data as { secret: string };
      const confirmed = await ask(app, "POST", `/api/${person.id}/confirm-two-factor`, headers, {
        code: codeOf(secret, clock),
      });
      expect(confirmed.status).toBe(200);
      clock.advance(60_000);
      return { secret, headers, ...(confirmed.body.data as { recoveryCodes: string[] }) };
    });
  },
});
