import { randomUUID } from 'node:crypto';
import http from 'node:http';
import https from 'node:https';
import { setTimeout as delay } from 'node:timers/promises';
import type { S3ClientConfig } from '@aws-sdk/client-s3';
import { ReleaseError } from '../platform/release-error.ts';
import { UncertainWrite, type ObjectStore, type StoredObject } from './object-store.ts';

/** Location of the objects. Region and credentials come from the standard AWS variables and files. */
export interface S3Location {
  readonly bucket: string;
  /** Ends with `/`, or is empty. */
  readonly prefix: string;
  /** Endpoint of a server other than AWS. */
  readonly endpoint?: string | undefined;
}

/** Condition of a write: the object does not exist, or has this ETag. */
type Condition = { readonly IfNoneMatch: '*' } | { readonly IfMatch: string };

/** Attempts of a write whose outcome is unknown. */
const maxAttempts = 8;

/** Without them, the SDK waits for ever for a server that is cut off. In milliseconds. */
const timeouts = { connectionTimeout: 5_000, socketTimeout: 30_000 };

type S3Connection = Awaited<ReturnType<typeof connectToS3>>;

/**
 * Stores objects in a bucket. Every write except `overwrite` is conditional, so the server resolves races. Loads the SDK
 * with the first request, so that directory stores do not load it.
 */
export class S3Store implements ObjectStore {
  readonly displayName: string;
  readonly #location: S3Location;
  readonly #settings: S3ClientConfig;
  #connection: Promise<S3Connection> | undefined;
  /** Resolves if the server supports conditional writes. The first write sets it. */
  #tested: Promise<void> | undefined;
  /** Set after a server compared ETags without quotation marks, as Ceph up to 16.2 does. */
  #unquotedTags = false;

  /** @param settings override the AWS variables and files */
  constructor(location: S3Location, settings: S3ClientConfig = {}) {
    this.#location = location;
    this.#settings = settings;
    this.displayName = `s3://${location.bucket}/${location.prefix}`.replace(/\/$/, '');
  }

  async read(key: string): Promise<StoredObject | undefined> {
    const found = await this.#get(key, {});
    // Without a condition, no answer says so.
    return found === 'unchanged' ? undefined : found;
  }

  async readIfChanged(key: string, tag: string): Promise<StoredObject | 'unchanged' | undefined> {
    return this.#get(key, { IfNoneMatch: tag });
  }

  async #get(key: string, condition: { readonly IfNoneMatch?: string }) {
    const { client, sdk } = await this.#connect();
    try {
      const command = new sdk.GetObjectCommand({ ...this.#address(key), ...condition });
      const { Body, ETag = '' } = await client.send(command);
      const bytes = await Body?.transformToByteArray();
      return { bytes: bytes ?? new Uint8Array(), tag: ETag };
    } catch (error) {
      if (isMissing(error)) return undefined;
      if (statusOf(error) === 304) return 'unchanged' as const;
      throw this.#toReleaseError(error);
    }
  }

  async create(key: string, bytes: Uint8Array): Promise<'created' | 'exists'> {
    return (await this.#write(key, bytes, { IfNoneMatch: '*' })) === 'written' ? 'created' : 'exists';
  }

  async replace(key: string, bytes: Uint8Array, tag: string | undefined): Promise<'replaced' | 'changed'> {
    const condition: Condition = tag === undefined ? { IfNoneMatch: '*' } : { IfMatch: tag };
    return (await this.#write(key, bytes, condition)) === 'written' ? 'replaced' : 'changed';
  }

  async overwrite(key: string, bytes: Uint8Array): Promise<void> {
    const object = { ...this.#address(key), Body: bytes };
    await this.#request(({ client, sdk }) => client.send(new sdk.PutObjectCommand(object)));
  }

  async list(prefix: string): Promise<readonly string[]> {
    const { bucket, prefix: base } = this.#location;
    const keys: string[] = [];
    const wanted = { Bucket: bucket, Prefix: `${base}${prefix}` };
    await this.#request(async ({ client, sdk }) => {
      for await (const { Contents = [] } of sdk.paginateListObjectsV2({ client }, wanted)) {
        keys.push(...Contents.map(({ Key = '' }) => Key.slice(base.length)));
      }
    });
    // Consoles show an empty object with such a key as a folder.
    return keys.filter((key) => !key.endsWith('/')).sort();
  }

  async remove(keys: readonly string[]): Promise<void> {
    await this.#request(async ({ client, sdk }) => {
      // Single deletes, because `DeleteObjects` requires a checksum that not every server supports.
      for (const key of keys) await client.send(new sdk.DeleteObjectCommand(this.#address(key)));
    });
  }

  /**
   * Writes until the outcome is known. After a refusal or an unclear failure it reads the object: if the condition no longer holds, the
   * write is refused, perhaps because of an earlier attempt of its own; otherwise it tries again. Throws {@link UncertainWrite} if the
   * outcome stays unclear.
   */
  async #write(key: string, bytes: Uint8Array, condition: Condition): Promise<'written' | 'refused'> {
    // Again after a failure, which may have been brief.
    await (this.#tested ??= this.#testConditions().catch((error: unknown) => {
      this.#tested = undefined;
      throw error;
    }));
    const { client, sdk } = await this.#connect();
    const object = { ...this.#address(key), Body: bytes };
    let mayHaveSucceeded = false;
    for (let attempt = 1; ; attempt += 1) {
      try {
        await client.send(new sdk.PutObjectCommand({ ...object, ...this.#formatCondition(condition) }));
        return 'written';
      } catch (error) {
        const status = statusOf(error);
        // No response, a conflict, a limit or a server error: the write may still succeed.
        const isUnclear = status === undefined || status === 409 || status === 429 || status >= 500;
        mayHaveSucceeded ||= isUnclear;
        const ErrorType = mayHaveSucceeded ? UncertainWrite : ReleaseError;
        // The object to replace is gone.
        if ('IfMatch' in condition && isMissing(error)) return 'refused';
        if (status !== 412 && !isUnclear) throw this.#toReleaseError(error, ErrorType);
        const found = await this.read(key).catch((cause: unknown) => {
          throw this.#toReleaseError(cause, ErrorType);
        });
        const conditionHolds = 'IfMatch' in condition ? found?.tag === condition.IfMatch : !found;
        if (!conditionHolds) return 'refused';
        // Refused although the ETag is the same: the server compares without quotation marks.
        if (status === 412 && 'IfMatch' in condition) this.#unquotedTags = true;
        if (attempt === maxAttempts) throw this.#toReleaseError(error, UncertainWrite);
        await delay(Math.random() * 50 * attempt);
      }
    }
  }

  /** Throws a {@link ReleaseError} if the server ignores conditions, because concurrent changes would then overwrite each other. */
  async #testConditions(): Promise<void> {
    const { client, sdk } = await this.#connect();
    const address = this.#address(`probes/${randomUUID()}`);
    const put = async (condition?: Condition): Promise<'written' | 'refused'> => {
      try {
        await client.send(new sdk.PutObjectCommand({ ...address, Body: 'test', ...condition }));
        return 'written';
      } catch (error) {
        if (statusOf(error) === 412) return 'refused';
        throw this.#toReleaseError(error);
      }
    };
    const outcomes = [await put(), await put({ IfNoneMatch: '*' }), await put({ IfMatch: '"0"' })];
    // Credentials without the right to delete leave the object.
    await client.send(new sdk.DeleteObjectCommand(address)).catch(() => undefined);
    if (outcomes.join() === 'written,refused,refused') return;
    throw new ReleaseError(
      `The server of ${this.displayName} ignores the conditions If-None-Match and If-Match, so nothing was changed. Use an object store that supports conditional writes.`,
    );
  }

  #formatCondition(condition: Condition): Condition {
    if ('IfMatch' in condition && this.#unquotedTags)
      return { IfMatch: condition.IfMatch.replaceAll('"', '') };
    return condition;
  }

  #address(key: string) {
    return { Bucket: this.#location.bucket, Key: `${this.#location.prefix}${key}` };
  }

  #connect(): Promise<S3Connection> {
    return (this.#connection ??= connectToS3(this.#location.endpoint, this.#settings));
  }

  async #request(send: (connection: S3Connection) => Promise<unknown>): Promise<void> {
    try {
      await send(await this.#connect());
    } catch (error) {
      throw this.#toReleaseError(error);
    }
  }

  #toReleaseError(cause: unknown, ErrorType = ReleaseError): ReleaseError {
    if (cause instanceof ReleaseError && ErrorType === ReleaseError) return cause;
    if (cause instanceof ReleaseError) return new ErrorType(cause.message, { cause });
    const reason = cause instanceof Error ? `${cause.name}: ${cause.message}` : String(cause);
    return new ErrorType(
      `A request to ${this.displayName} failed (${reason}). Check STORE_URL, S3_ENDPOINT, AWS_REGION and the credentials.`,
      { cause },
    );
  }
}

/** Loads the SDK and creates a client. Sends no request. */
async function connectToS3(endpoint: string | undefined, settings: S3ClientConfig) {
  const sdk = await import('@aws-sdk/client-s3');
  const client = new sdk.S3Client({
    // Other servers need path-style URLs, and not all of them support the newer checksums.
    ...(endpoint === undefined ? {} : { endpoint, forcePathStyle: true }),
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: {
      ...timeouts,
      // The SDK has agents of its own, which would go past the proxy that NODE_USE_ENV_PROXY gives to those of Node.
      httpAgent: proxyOf(http.globalAgent),
      httpsAgent: proxyOf(https.globalAgent),
    },
    ...settings,
  });
  return { sdk, client };
}

/** The environment that names the proxy of one of Node's agents, if it uses one. The types lack the property. */
function proxyOf(agent: http.Agent): Pick<http.AgentOptions, 'proxyEnv'> {
  const { options } = agent as unknown as { readonly options: http.AgentOptions };
  return { proxyEnv: options.proxyEnv };
}

/** HTTP status of a failed request; `undefined` if there was no response. */
function statusOf(error: unknown): number | undefined {
  const metadata = error instanceof Error && '$metadata' in error ? error.$metadata : undefined;
  return (metadata as { httpStatusCode?: number } | undefined)?.httpStatusCode;
}

/** Whether an object is missing. Returns false for a missing bucket, and for a server that is no object store. */
function isMissing(error: unknown): boolean {
  return statusOf(error) === 404 && error instanceof Error && error.name === 'NoSuchKey';
}
