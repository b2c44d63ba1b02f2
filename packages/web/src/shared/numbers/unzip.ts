/** The entries of a ZIP archive, unpacked by the browser itself. (PKWARE APPNOTE 6.3.10; no ZIP64: a contact file is 20 MB at most) */
import { TooMuchText, type WorkbookEntries } from "@ewebal/contract/files";

const END_SIGNATURE = 0x0605_4b50;
const ENTRY_SIGNATURE = 0x0201_4b50;
const END_BYTES = 22;
const COMMENT_BYTES_MAX = 65_535;
const ENTRY_BYTES = 46;
const LOCAL_BYTES = 30;
const STORED = 0;
const DEFLATED = 8;
/** As on the server: counted while it is unpacked, whatever the archive says of itself. */
const EXPANDED_BYTES_MAX = 512 * 1024 * 1024;

type Entry = { method: number; packedBytes: number; offset: number };

/** @throws Error for what is no whole archive; reading throws `TooMuchText` for what expands beyond 512 MB. */
export async function openArchive(file: Blob): Promise<WorkbookEntries> {
  const entries = await readDirectory(file);
  let expandedBytes = 0;
  return {
    has: (path) => entries.has(path),
    read: async (path, take) => {
      const entry = entries.get(path);
      if (entry === undefined) throw new Error(`The archive has no ${path}`);
      const decoder = new TextDecoder();
      const reader = (await unpack(file, entry)).getReader();
      try {
        for (;;) {
          const { done, value } = await reader.read();
          if (done) break;
          expandedBytes += value.byteLength;
          if (expandedBytes > EXPANDED_BYTES_MAX) throw new TooMuchText();
          take(decoder.decode(value, { stream: true }));
        }
      } finally {
        await reader.cancel();
      }
      take(decoder.decode());
    },
  };
}

async function readDirectory(file: Blob): Promise<ReadonlyMap<string, Entry>> {
  const tail = await viewOf(file, Math.max(0, file.size - END_BYTES - COMMENT_BYTES_MAX), file.size);
  let end = tail.byteLength - END_BYTES;
  while (end >= 0 && tail.getUint32(end, true) !== END_SIGNATURE) end -= 1;
  if (end < 0) throw new Error("The file is no whole archive");
  const start = tail.getUint32(end + 16, true);
  const directory = await viewOf(file, start, start + tail.getUint32(end + 12, true));
  const entries = new Map<string, Entry>();
  let at = 0;
  while (at + ENTRY_BYTES <= directory.byteLength && directory.getUint32(at, true) === ENTRY_SIGNATURE) {
    const nameBytes = directory.getUint16(at + 28, true);
    const name = new TextDecoder().decode(new Uint8Array(directory.buffer, at + ENTRY_BYTES, nameBytes));
    entries.set(name.replace(/^\//, ""), {
      method: directory.getUint16(at + 10, true),
      packedBytes: directory.getUint32(at + 20, true),
      offset: directory.getUint32(at + 42, true),
    });
    at += ENTRY_BYTES + nameBytes + directory.getUint16(at + 30, true) + directory.getUint16(at + 32, true);
  }
  return entries;
}

async function unpack(file: Blob, { method, packedBytes, offset }: Entry): Promise<ReadableStream<Uint8Array>> {
  const local = await viewOf(file, offset, offset + LOCAL_BYTES);
  const start = offset + LOCAL_BYTES + local.getUint16(26, true) + local.getUint16(28, true);
  const packed = file.slice(start, start + packedBytes);
  if (method === STORED) return packed.stream();
  if (method !== DEFLATED) throw new Error("The archive is packed in a way that is not known");
  return packed.stream().pipeThrough(new DecompressionStream("deflate-raw"));
}

async function viewOf(file: Blob, start: number, end: number): Promise<DataView> {
  return new DataView(await file.slice(start, end).arrayBuffer());
}
