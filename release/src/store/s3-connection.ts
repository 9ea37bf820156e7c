import type * as Sdk from '@aws-sdk/client-s3';

/** The AWS SDK and a configured client. */
export interface S3Connection {
  readonly sdk: typeof Sdk;
  readonly client: Sdk.S3Client;
}

/** Without them, the SDK waits for ever for a server that is cut off. In milliseconds. */
const timeouts = { connectionTimeout: 5_000, socketTimeout: 30_000 };

/** Loads the SDK and creates a client. Sends no request. */
export async function connectToS3(
  endpoint: string | undefined,
  settings: Sdk.S3ClientConfig,
): Promise<S3Connection> {
  const sdk = await import('@aws-sdk/client-s3');
  const client = new sdk.S3Client({
    // Other servers need path-style URLs, and not all of them support the newer checksums.
    ...(endpoint === undefined ? {} : { endpoint, forcePathStyle: true }),
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: timeouts,
    ...settings,
  });
  return { sdk, client };
}

/** HTTP status of a failed request; `undefined` if there was no response. */
export function statusOf(error: unknown): number | undefined {
  const metadata = error instanceof Error && '$metadata' in error ? error.$metadata : undefined;
  return (metadata as { httpStatusCode?: number } | undefined)?.httpStatusCode;
}

/** Whether an object is missing. Returns false for a missing bucket, and for a server that is no object store. */
export function isMissing(error: unknown): boolean {
  return statusOf(error) === 404 && error instanceof Error && error.name === 'NoSuchKey';
}
