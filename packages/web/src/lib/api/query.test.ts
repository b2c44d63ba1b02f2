import { expect, test, vi } from "vitest";
import { ApiError, NetworkError } from "./api.ts";
import { createQueryClient, isTemporary } from "./query.ts";

const refusal = (status: number, code: "AUTH_REQUIRED" | "NOT_FOUND" | "UNAVAILABLE") =>
  new ApiError(status, { message: "No", code });

test("only a lost network and a failing server are tried again", () => {
  expect(isTemporary(new NetworkError("gone"))).toBe(true);
  expect(isTemporary(refusal(503, "UNAVAILABLE"))).toBe(true);
  expect(isTemporary(refusal(404, "NOT_FOUND"))).toBe(false);
});

test("a call that finds no session says so, other refusals do not", async () => {
  const onSessionLost = vi.fn();
  const queryClient = createQueryClient(onSessionLost);
  const ask = async (error: ApiError): Promise<void> => {
    const asked = queryClient.fetchQuery({
      queryKey: [error.code],
      queryFn: () => {
        throw error;
      },
    });
    await expect(asked).rejects.toBe(error);
  };
  await ask(refusal(404, "NOT_FOUND"));
  expect(onSessionLost).not.toHaveBeenCalled();
  await ask(refusal(401, "AUTH_REQUIRED"));
  expect(onSessionLost).toHaveBeenCalledOnce();
});
