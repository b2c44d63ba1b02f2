import { vi } from "vitest";

/** Stands in for XMLHttpRequest: asks the fake server, half of the body first, so that a page has a progress to show. */
class FakeUploadRequest extends EventTarget {
  readonly upload = new EventTarget();
  readonly #headers = new Headers();
  readonly #ended = new AbortController();
  #method = "";
  #address = "";
  status = 0;
  responseText = "";

  open(method: string, address: string): void {
    this.#method = method;
    this.#address = address;
  }

  setRequestHeader(name: string, value: string): void {
    this.#headers.set(name, value);
  }

  send(body: FormData): void {
    void this.#run(body);
  }

  abort(): void {
    this.#ended.abort();
    this.dispatchEvent(new Event("abort"));
  }

  async #run(body: FormData): Promise<void> {
    this.#tell(0.5);
    try {
      const response = await fetch(this.#address, { method: this.#method, headers: this.#headers, body });
      this.status = response.status;
      this.responseText = await response.text();
    } catch {
      // Whatever a browser's request fails with, a page is told no more than this.
      if (!this.#ended.signal.aborted) this.dispatchEvent(new Event("error"));
      return;
    }
    if (this.#ended.signal.aborted) return;
    this.#tell(1);
    this.dispatchEvent(new Event("load"));
  }

  #tell(share: number): void {
    this.upload.dispatchEvent(
      Object.assign(new Event("progress"), { lengthComputable: true, loaded: share * 100, total: 100 }),
    );
  }
}

/** Lets uploads go to the test's fake server. */
export function fakeUpload(): void {
  vi.stubGlobal("XMLHttpRequest", FakeUploadRequest);
}
