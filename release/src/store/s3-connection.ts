import type { S3Client } from '@aws-sdk/client-s3';

/** The SDK, and a client of it that knows its server. */
export interface S3Connection {
  readonly sdk: typeof import('@aws-sdk/client-s3');
  readonly client: S3Client;
}

/** Loads the SDK, which takes a moment. Says nothing to the server yet. */
export async function connectToS3(endpoint: string | undefined): Promise<S3Connection> {
  const sdk = await import('@aws-sdk/client-s3');
  const client = new sdk.S3Client({
    // Servers other than AWS have buckets as folders, and do not all know the newer checksums.
    ...(endpoint === undefined ? {} : { endpoint, forcePathStyle: true }),
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  });
  return { sdk, client };
}

/** HTTP status that a request was answered with, if it was. */
export function statusOf(error: unknown): number | undefined {
  return metadataOf(error)?.httpStatusCode;
}

/** How often the SDK has tried. */
export function attemptsOf(error: unknown): number {
  return metadataOf(error)?.attempts ?? 1;
}

/** Whether there is no such object. A bucket that is missing is another matter. */
export function isMissing(error: unknown): boolean {
  return statusOf(error) === 404 && error instanceof Error && error.name !== 'NoSuchBucket';
}

interface AnswerMetadata {
  readonly httpStatusCode?: number;
  readonly attempts?: number;
}

function metadataOf(error: unknown): AnswerMetadata | undefined {
  return error instanceof Error && '$metadata' in error ? (error.$metadata as AnswerMetadata) : undefined;
}
