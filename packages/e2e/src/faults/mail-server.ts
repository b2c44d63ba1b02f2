/** A mail server that can be away, silent or refusing, and keeps what it took. */
import { once } from "node:events";
import { createServer, type AddressInfo, type Server, type Socket } from "node:net";

export type MailMood = "well" | "away" | "silent" | "refusing";

export class MailServer {
  /** Every mail that was taken whole, with soft line breaks undone. */
  readonly mails: string[] = [];
  readonly #sockets = new Set<Socket>();
  #server: Server = this.#make();
  #mood: MailMood = "well";
  #port = 0;

  get url(): string {
    return `smtp://127.0.0.1:${this.#port}`;
  }

  async start(): Promise<void> {
    this.#server.listen(this.#port, "127.0.0.1");
    await once(this.#server, "listening");
    this.#port = (this.#server.address() as AddressInfo).port;
  }

  async stop(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    if (!this.#server.listening) return;
    const closed = once(this.#server, "close");
    this.#server.close();
    await closed;
  }

  async setMood(mood: MailMood): Promise<void> {
    const before = this.#mood;
    this.#mood = mood;
    // Whoever waits for a silent server is let go when it speaks again, as by one that was started anew.
    for (const socket of this.#sockets) socket.destroy();
    if (mood === "away") await this.stop();
    else if (before === "away") {
      this.#server = this.#make();
      await this.start();
    }
  }

  /** @returns the first group of the pattern in the newest mail to an address. */
  find(address: string, pattern: RegExp): string | undefined {
    return this.mails
      .filter((mail) => mail.includes(address))
      .map((mail) => pattern.exec(mail)?.[1])
      .findLast((found) => found !== undefined);
  }

  #make(): Server {
    return createServer((socket) => this.#converse(socket));
  }

  #converse(socket: Socket): void {
    this.#sockets.add(socket);
    socket.on("close", () => this.#sockets.delete(socket));
    socket.on("error", () => socket.destroy());
    if (this.#mood === "silent") return;
    const say = (line: string): void => void socket.write(`${line}\r\n`);
    say(this.#mood === "refusing" ? "421 not now" : "220 mail");
    if (this.#mood === "refusing") {
      socket.end();
      return;
    }
    let heard = "";
    let isData = false;
    socket.setEncoding("latin1").on("data", (chunk: string) => {
      heard += chunk;
      for (;;) {
        const end = heard.indexOf(isData ? "\r\n.\r\n" : "\r\n");
        if (end < 0) return;
        const said = heard.slice(0, end);
        heard = heard.slice(end + (isData ? 5 : 2));
        if (isData) {
          this.mails.push(readable(said));
          isData = false;
          say("250 taken");
        } else if (/^data$/i.test(said)) {
          isData = true;
          say("354 go on");
        } else if (/^quit$/i.test(said)) {
          say("221 bye");
          socket.end();
        } else say("250 well");
      }
    });
  }
}

/** Soft line breaks and escapes of quoted-printable undone. */
function readable(mail: string): string {
  return mail
    .replace(/=\r?\n/g, "")
    .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}
