/**
 * The way to the server for files. `fetch` does not tell how much of a body has left, so this one call goes through
 * XMLHttpRequest; what it answers and throws is what `call` answers and throws.
 */
import type { Call } from "@ewebal/contract/calls";
import { ApiError, fillAddress, NetworkError, toErrorBody, type Answer } from "./api.ts";

export type UploadInput = {
  params: Record<string, string>;
  form: FormData;
  headers?: Record<string, string>;
  /** @param share of the body that has left, 0 to 1. At 1 the server still has to answer. */
  onProgress?: (share: number) => void;
  /** Ends the upload; the call then throws the browser's AbortError. */
  signal?: AbortSignal;
};

/**
 * Sends a form with files.
 *
 * @throws ApiError for every answer outside 2xx.
 * @throws NetworkError when no answer came.
 */
export async function upload<const T extends Call>(
  route: T,
  { params, form, headers = {}, onProgress, signal }: UploadInput,
): Promise<Answer<T>> {
  signal?.throwIfAborted();
  const request = new XMLHttpRequest();
  const settled = Promise.withResolvers<void>();
  request.upload.addEventListener("progress", ({ lengthComputable, loaded, total }) => {
    if (lengthComputable) onProgress?.(loaded / total);
  });
  request.addEventListener("load", () => settled.resolve());
  request.addEventListener("error", () => settled.reject(new NetworkError("No answer from the server")));
  request.addEventListener("abort", () => settled.reject(new DOMException("The upload was ended", "AbortError")));
  const abort = (): void => request.abort();
  signal?.addEventListener("abort", abort);
  try {
    request.open(route.method, fillAddress(route.url, params));
    request.setRequestHeader("accept", "application/json");
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
    request.send(form);
    await settled.promise;
  } finally {
    signal?.removeEventListener("abort", abort);
  }
  const answer = readJson(request.responseText);
  if (request.status >= 200 && request.status < 300) return answer as Answer<T>;
  throw new ApiError(request.status, toErrorBody(request.status, answer));
}

/** @returns undefined when the text is no JSON. */
function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
