import { join } from 'node:path';

/** For processes that tests start: what one of them has compiled, the next one need not, and starts in half the time. */
export const compileCache = {
  NODE_COMPILE_CACHE: join(import.meta.dirname, '../../../node_modules/.cache/compile'),
} as const;

/** An S3 server that is running already, to run the tests against it: its address, and a bucket with its owner. */
export interface ObjectServerConfig {
  readonly endpoint: string;
  readonly bucket: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

/** Reads the variables `TEST_S3_…`. Without an address the tests start a server of their own. */
export function readObjectServerConfig(
  environment: NodeJS.ProcessEnv = process.env,
): ObjectServerConfig | undefined {
  const { TEST_S3_ENDPOINT, TEST_S3_BUCKET, TEST_S3_KEY, TEST_S3_SECRET } = environment;
  if (!TEST_S3_ENDPOINT || !TEST_S3_BUCKET || !TEST_S3_KEY || !TEST_S3_SECRET) return undefined;
  return {
    endpoint: TEST_S3_ENDPOINT,
    bucket: TEST_S3_BUCKET,
    accessKeyId: TEST_S3_KEY,
    secretAccessKey: TEST_S3_SECRET,
  };
}
