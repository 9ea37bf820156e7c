import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { S3Store, type S3Location } from '../store/s3-store.ts';
import type { S3ClientConfig } from '@aws-sdk/client-s3';
import { readObjectServerConfig, type ObjectServerConfig } from './config.ts';

/** The bucket of a server that the tests start. */
export const testBucket = 'releases';

/** An S3 server in a process of its own. Disposing of it stops it. */
export interface ObjectServer extends AsyncDisposable {
  /** A new, empty store on this server. */
  openStore(): BucketStore;
}

/** A store in a bucket, and the variables with which a command finds it. */
export interface BucketStore {
  readonly objects: S3Store;
  readonly location: S3Location & { readonly endpoint: string };
  readonly settings: S3ClientConfig;
  readonly environment: Readonly<Record<string, string>>;
}

/** Starts an S3 server over a folder of its own, or uses the one that `TEST_S3_…` names. */
export async function startObjectServer(): Promise<ObjectServer> {
  const running = readObjectServerConfig();
  if (running) return { openStore: () => openStore(running), [Symbol.asyncDispose]: async () => undefined };

  const directory = await mkdtemp(join(tmpdir(), 'object-server-'));
  // S3rver encrypts where the next part of a list begins, with a cipher that OpenSSL has given up.
  const words = [
    '--openssl-legacy-provider',
    join(import.meta.dirname, 'object-server-process.ts'),
    directory,
  ];
  const server = spawn(process.execPath, words, { stdio: ['ignore', 'pipe', 'inherit', 'ipc'] });
  const ended = once(server, 'exit');
  if (!server.stdout) throw new TypeError('The S3 server was spawned without an output pipe.');
  const lines = createInterface({ input: server.stdout });
  const [endpoint]: unknown[] = await Promise.race([once(lines, 'line'), ended.then(() => [])]);
  if (typeof endpoint !== 'string')
    throw new Error('The S3 server did not start. What it says stands above.');
  const config = { endpoint, bucket: testBucket, accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' };
  return {
    openStore: () => openStore(config),
    async [Symbol.asyncDispose]() {
      server.kill();
      await ended;
      await rm(directory, { recursive: true });
    },
  };
}

function openStore({ endpoint, bucket, accessKeyId, secretAccessKey }: ObjectServerConfig): BucketStore {
  const prefix = `${randomUUID()}/`;
  const region = 'us-east-1';
  // So that every list of the tests takes several requests.
  const location = { bucket, prefix, endpoint, pageSize: 3 };
  const settings = { region, credentials: { accessKeyId, secretAccessKey } };
  return {
    objects: new S3Store(location, settings),
    location,
    settings,
    environment: {
      STORE_URL: `s3://${bucket}/${prefix}`,
      S3_ENDPOINT: endpoint,
      AWS_REGION: region,
      AWS_ACCESS_KEY_ID: accessKeyId,
      AWS_SECRET_ACCESS_KEY: secretAccessKey,
    },
  };
}
