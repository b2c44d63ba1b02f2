/** Files in any store that speaks S3: Amazon's, MinIO, Ceph, R2, Wasabi. */
import { createReadStream } from "node:fs";
import type { Readable } from "node:stream";
import {
  DeleteObjectCommand,
  GetObjectCommand,
  NoSuchKey,
  PutObjectCommand,
  S3Client,
  S3ServiceException,
} from "@aws-sdk/client-s3";
import type { S3Settings } from "../base/config.ts";
import { AppError } from "../base/errors.ts";
import { assertFileName, STORED_FILE_BYTES_MAX, type FileStore } from "./file-store.ts";

/** For one try: 5 MB over a slow line, and a person waits for it. */
const TIMEOUTS = { connectMs: 3_000, requestMs: 10_000 };
/** For files of gigabytes, for which nobody waits. */
export const LARGE_TIMEOUTS = { connectMs: 3_000, requestMs: 3_600_000 };
/** Two more tries after the first, with the client's own growing delay. */
const ATTEMPTS_MAX = 3;
const INSUFFICIENT_STORAGE = 507;

/** @returns a store that keeps connections open until it is closed. */
export function openS3Store(settings: S3Settings, timeouts = TIMEOUTS): FileStore {
  const { endpoint, region, bucket, prefix, accessKeyId, secretAccessKey } = settings;
  const client = new S3Client({
    endpoint,
    region,
    credentials: { accessKeyId, secretAccessKey },
    // Names of hosts for each bucket need DNS that stores of one's own rarely have.
    forcePathStyle: true,
    // Amazon's newer checksums are refused by many other stores; the signature covers the bytes anyway.
    requestChecksumCalculation: "WHEN_REQUIRED",
    responseChecksumValidation: "WHEN_REQUIRED",
    maxAttempts: ATTEMPTS_MAX,
    requestHandler: {
      connectionTimeout: timeouts.connectMs,
      requestTimeout: timeouts.requestMs,
      throwOnRequestTimeout: true,
    },
  });
  const placeOf = (name: string): { Bucket: string; Key: string } => {
    assertFileName(name);
    return { Bucket: bucket, Key: `${prefix}${name}` };
  };
  return {
    put: async ({ name, bytes, contentType }) => {
      const command = new PutObjectCommand({
        ...placeOf(name),
        Body: bytes,
        ContentLength: bytes.length,
        ContentType: contentType,
      });
      await translate(() => client.send(command));
    },
    putAt: async ({ name, path, byteCount, contentType }) => {
      const place = placeOf(name);
      const send = () =>
        client.send(
          new PutObjectCommand({
            ...place,
            Body: createReadStream(path),
            ContentLength: byteCount,
            ContentType: contentType,
          }),
        );
      await translate(send);
    },
    stream: async (name) => {
      const command = new GetObjectCommand(placeOf(name));
      return await translate(async () => await openBody(client, command));
    },
    get: async (name) => {
      const command = new GetObjectCommand(placeOf(name));
      return await translate(async () => await readBody(client, command));
    },
    remove: async (name) => {
      const command = new DeleteObjectCommand(placeOf(name));
      await translate(() => client.send(command));
    },
    close: () => client.destroy(),
  };
}

async function openBody(client: S3Client, command: GetObjectCommand): Promise<Readable | undefined> {
  try {
    return (await client.send(command)).Body as Readable | undefined;
  } catch (error) {
    if (error instanceof NoSuchKey) return undefined;
    throw error;
  }
}

async function readBody(client: S3Client, command: GetObjectCommand): Promise<Buffer | undefined> {
  try {
    const { Body, ContentLength } = await client.send(command);
    if (Body === undefined) return undefined;
    if ((ContentLength ?? 0) > STORED_FILE_BYTES_MAX)
      throw new Error("The file in the store is larger than any that we put there");
    return Buffer.from(await Body.transformToByteArray());
  } catch (error) {
    if (error instanceof NoSuchKey) return undefined;
    throw error;
  }
}

/** A store that fails is no fault of the request; its own error goes to the log as the cause. */
async function translate<Result>(ask: () => Promise<Result>): Promise<Result> {
  try {
    return await ask();
  } catch (error) {
    const isFull = error instanceof S3ServiceException && error.$metadata.httpStatusCode === INSUFFICIENT_STORAGE;
    throw new AppError(isFull ? "STORAGE_FULL" : "UNAVAILABLE", { cause: error });
  }
}
