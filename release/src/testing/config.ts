import type { BrowserLocation } from '@countersign/browser/find-browser';
import { join } from 'node:path';

/** Compile cache that the processes of tests share, which halves their start time. */
export const compileCache = {
  NODE_COMPILE_CACHE: join(import.meta.dirname, '../../../node_modules/.cache/compile'),
} as const;

/** Endpoint, bucket and credentials of a running S3 server. */
export interface ObjectServerConfig {
  readonly endpoint: string;
  readonly bucket: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

/** Reads the variables `TEST_S3_…`. Returns `undefined` without an endpoint; the tests then start their own server. */
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

/** Leaves this thread nothing but these variables. */
export function replaceEnvironment(variables: NodeJS.ProcessEnv): void {
  for (const name of Object.keys(process.env)) Reflect.deleteProperty(process.env, name);
  Object.assign(process.env, variables);
}

const { BROWSER_PATH, PATH = '' } = process.env;

/** The browser of the tests of the check, for a function and for a command. */
export const browserOfTests: BrowserLocation = { browserPath: BROWSER_PATH, path: PATH };
export const browserEnvironment: NodeJS.ProcessEnv =
  BROWSER_PATH === undefined ? { PATH } : { BROWSER_PATH, PATH };
