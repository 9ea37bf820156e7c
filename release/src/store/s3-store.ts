import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { S3ClientConfig } from '@aws-sdk/client-s3';
import { ReleaseFault } from '../release-fault.ts';
import { objectHeaders } from './object-headers.ts';
import type { ObjectStore, StoredObject } from './object-store.ts';
import { connectToS3, isMissing, statusOf, type S3Connection } from './s3-connection.ts';

/** Where the objects lie. Region and credentials come from the variables and files that every AWS tool reads. */
export interface S3Location {
  readonly bucket: string;
  /** Ends with `/`, or is empty. */
  readonly prefix: string;
  /** Address of a server that is not AWS. */
  readonly endpoint?: string | undefined;
  /** How many keys one request lists. By default as many as the server gives. */
  readonly pageSize?: number;
}

/** Writes only where there is no object yet, or only over the one with this tag. */
type Condition = { readonly IfNoneMatch: '*' } | { readonly IfMatch: string };

/** What visitors get at the root of the site lies here: the origin path of a CDN. */
const servedAtRoot = 'current/';
/** How often a write is tried whose outcome is not known. */
const attempts = 8;

/**
 * Keeps objects in a bucket. Every write is conditional, so the server decides which of two is first. The SDK is
 * loaded with the first request: whoever keeps a directory does not pay for it.
 */
export class S3Store implements ObjectStore {
  readonly where: string;
  readonly #location: S3Location;
  readonly #settings: S3ClientConfig;
  #connection: Promise<S3Connection> | undefined;
  /** Set once a server is met that compares tags without their quotation marks, as Ceph up to 16.2 does. */
  #bareTags = false;

  /** @param settings take the place of what the variables and files of AWS say */
  constructor(location: S3Location, settings: S3ClientConfig = {}) {
    this.#location = location;
    this.#settings = settings;
    this.where = `s3://${location.bucket}/${location.prefix}`;
  }

  async read(key: string): Promise<(StoredObject & { readonly write: string | undefined }) | undefined> {
    const { client, sdk } = await this.#connect();
    try {
      const { Body, ETag = '', Metadata } = await client.send(new sdk.GetObjectCommand(this.#address(key)));
      const bytes = await Body?.transformToByteArray();
      return { bytes: bytes ?? new Uint8Array(), tag: ETag, write: Metadata?.['write'] };
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw this.#fault(error);
    }
  }

  async create(key: string, bytes: Uint8Array): Promise<'created' | 'exists'> {
    return (await this.#write(key, bytes, { IfNoneMatch: '*' })) === 'written' ? 'created' : 'exists';
  }

  async replace(key: string, bytes: Uint8Array, tag: string | undefined): Promise<'replaced' | 'changed'> {
    const condition: Condition = tag === undefined ? { IfNoneMatch: '*' } : { IfMatch: tag };
    return (await this.#write(key, bytes, condition)) === 'written' ? 'replaced' : 'changed';
  }

  async list(prefix: string): Promise<readonly string[]> {
    return [...(await this.#tags(prefix)).keys()].sort();
  }

  async remove(keys: readonly string[]): Promise<void> {
    const { client, sdk } = await this.#connect();
    try {
      // One by one: the request that removes many needs a checksum that not every server knows.
      for (const key of keys) await client.send(new sdk.DeleteObjectCommand(this.#address(key)));
    } catch (error) {
      throw this.#fault(error);
    }
  }

  /** None: a bucket keeps nothing of a request that was broken off. */
  async leftovers(): Promise<readonly string[]> {
    return [];
  }

  /**
   * Copies, since a bucket has no links. What is there is looked at before asking whether the copy is still wanted, and
   * replaced only if it is still that: so nobody who is late can write over what a later release has put there.
   */
  async serveAtRoot(prefix: string, isWanted: () => Promise<boolean>): Promise<'served' | 'overtaken'> {
    const there = await this.#tags(servedAtRoot);
    if (!(await isWanted())) return 'overtaken';
    const wanted = await this.#tags(prefix);
    const names = [...wanted.keys()].map((key) => key.slice(prefix.length)).sort(indexLast);
    for (const name of names) {
      const tag = there.get(`${servedAtRoot}${name}`);
      if (tag !== undefined && tag === wanted.get(`${prefix}${name}`)) continue;
      const object = await this.read(`${prefix}${name}`);
      if (!object) return 'overtaken';
      const outcome = await this.replace(`${servedAtRoot}${name}`, object.bytes, tag);
      if (outcome === 'changed') return 'overtaken';
    }
    const left = [...there.keys()].filter((key) => !wanted.has(`${prefix}${key.slice(servedAtRoot.length)}`));
    if (left.length > 0 && !(await isWanted())) return 'overtaken';
    await this.remove(left);
    return 'served';
  }

  async #write(key: string, bytes: Uint8Array, condition: Condition): Promise<'written' | 'refused'> {
    const { client, sdk } = await this.#connect();
    // Tells this write from another one of the same bytes.
    const Metadata = { write: randomUUID() };
    const object = { ...this.#address(key), Body: bytes, Metadata, ...objectHeaders(key) };
    for (let attempt = 1; ; attempt += 1) {
      try {
        await client.send(new sdk.PutObjectCommand({ ...object, ...this.#spelled(condition) }));
        return 'written';
      } catch (error) {
        const status = statusOf(error);
        if ('IfMatch' in condition && isMissing(error)) return 'refused';
        const unsure = status === undefined || status === 409 || status === 429 || status >= 500;
        if (status !== 412 && !unsure) throw this.#fault(error);
        const found = await this.read(key);
        // The answer to an attempt that succeeded may have been lost, and the next one refused because of it.
        if (found?.write === Metadata.write) return 'written';
        const holds = 'IfMatch' in condition ? found?.tag === condition.IfMatch : !found;
        if (!holds) return 'refused';
        if (status === 412 && 'IfMatch' in condition) this.#bareTags = true;
        if (attempt === attempts) throw this.#fault(error);
        await delay(Math.random() * 50 * attempt);
      }
    }
  }

  #spelled(condition: Condition): Condition {
    if ('IfMatch' in condition && this.#bareTags) return { IfMatch: condition.IfMatch.replaceAll('"', '') };
    return condition;
  }

  /** Key → tag of everything below a prefix. */
  async #tags(prefix: string): Promise<ReadonlyMap<string, string>> {
    const { client, sdk } = await this.#connect();
    const { bucket, prefix: base, pageSize } = this.#location;
    const tags = new Map<string, string>();
    try {
      const wanted = { Bucket: bucket, Prefix: `${base}${prefix}` };
      const pages = sdk.paginateListObjectsV2(
        pageSize === undefined ? { client } : { client, pageSize },
        wanted,
      );
      for await (const page of pages) {
        for (const { Key = '', ETag = '' } of page.Contents ?? []) tags.set(Key.slice(base.length), ETag);
      }
    } catch (error) {
      throw this.#fault(error);
    }
    return tags;
  }

  #address(key: string) {
    return { Bucket: this.#location.bucket, Key: `${this.#location.prefix}${key}` };
  }

  #connect(): Promise<S3Connection> {
    this.#connection ??= connectToS3(this.#location.endpoint, this.#settings);
    return this.#connection;
  }

  #fault(cause: unknown): ReleaseFault {
    if (cause instanceof ReleaseFault) return cause;
    const said = cause instanceof Error ? `${cause.name}: ${cause.message}` : String(cause);
    return new ReleaseFault(
      `${this.where} does not do what it is asked (${said}). Check STORE_URL, S3_ENDPOINT, AWS_REGION and the credentials, then try again.`,
      { cause },
    );
  }
}

/** The landing page comes last. */
function indexLast(a: string, b: string): number {
  const [first, second] = [a.startsWith('index.html'), b.startsWith('index.html')];
  return first === second ? (a < b ? -1 : 1) : first ? 1 : -1;
}
