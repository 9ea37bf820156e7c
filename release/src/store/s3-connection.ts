import type * as Sdk from '@aws-sdk/client-s3';

/** The SDK, and a client of it that knows its server. */
export interface S3Connection {
  readonly sdk: typeof Sdk;
  readonly client: Sdk.S3Client;
}

/** Loads the SDK, which takes a moment. Says nothing to the server yet. */
export async function connectToS3(
  endpoint: string | undefined,
  settings: Sdk.S3ClientConfig,
): Promise<S3Connection> {
  const sdk = await import('@aws-sdk/client-s3');
  const client = new sdk.S3Client({
    // Servers other than AWS have buckets as folders, and do not all know the newer checksums.
    ...(endpoint === undefined ? {} : { endpoint, forcePathStyle: true }),
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    ...settings,
  });
  return { sdk, client };
}

/** HTTP status that a request was answered with, if it was. */
export function statusOf(error: unknown): number | undefined {
  const metadata = error instanceof Error && '$metadata' in error ? error.$metadata : undefined;
  return (metadata as { httpStatusCode?: number } | undefined)?.httpStatusCode;
}

/** Whether there is no such object. A bucket that is missing is another matter. */
export function isMissing(error: unknown): boolean {
  return statusOf(error) === 404 && error instanceof Error && error.name !== 'NoSuchBucket';
}
