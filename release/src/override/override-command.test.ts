import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, test } from 'node:test';
import { developerOverride, overrideAlgorithm } from '@countersign/contracts/developer-override';
import { readConfig } from '../config.ts';
import { integrityOf } from '../file-hash.ts';
import { writeBuiltPart } from '../testing/built-part.ts';
import { fittingRemote } from '../testing/fitting-part.ts';
import { releaseCommand, runRelease } from '../testing/run-release.ts';
import { makeOverrideKey } from './override-key.ts';

let directory: string;
beforeEach(async () => void (directory = await mkdtemp(join(tmpdir(), 'release-override-'))));
afterEach(() => rm(directory, { recursive: true }));

const key = makeOverrideKey();
const environment = () => ({
  DATA_DIR: join(directory, 'data'),
  OVERRIDE_KEY: key,
  SITE_ORIGIN: 'https://www.example.com',
});

async function build(version: string): Promise<string> {
  const folder = join(directory, `built-${version}`);
  await writeBuiltPart(folder, fittingRemote('mf-pricing', version));
  return folder;
}

/** What a browser that has the site's public key makes of a link. */
async function verified(link: string) {
  const { origin, searchParams } = new URL(link);
  assert.equal(origin, 'https://www.example.com');
  assert(searchParams.has('preview'));
  const [payload = '', signature = ''] = (searchParams.get('override') ?? '').split('.');
  const { overrideKey = '' } = readConfig({ OVERRIDE_KEY: key }).site;
  const spki = Buffer.from(overrideKey, 'base64url');
  const publicKey = await crypto.subtle.importKey('spki', spki, overrideAlgorithm, false, ['verify']);
  const signed = new TextEncoder().encode(payload);
  const bytes = Buffer.from(signature, 'base64url');
  assert(await crypto.subtle.verify(overrideAlgorithm, publicKey, bytes, signed));
  return developerOverride.parse(JSON.parse(Buffer.from(payload, 'base64url').toString()));
}

test('a stored version gets a link that the site takes for as long as it says', async () => {
  await runRelease(['publish', 'mf-pricing', await build('1.1.0')], environment());
  const before = Date.now();
  const { code, stdout } = await runRelease(
    ['override', 'mf-pricing', '--version', '1.1.0', '--minutes', '5', '--json'],
    environment(),
  );
  assert.equal(code, 0);
  const { part, version, expires } = await verified(JSON.parse(stdout).link);
  assert.deepEqual([part, version.version], ['mf-pricing', '1.1.0']);
  assert.equal(version.entry.url, '/mf-pricing/1.1.0/entry.js');
  assert(expires >= before + 5 * 60_000 && expires <= Date.now() + 5 * 60_000);
});

test('a build on this machine is served to the page, with the hashes of its files, until Ctrl-C', async () => {
  const folder = await build('1.2.0');
  const serving = spawn(process.execPath, [releaseCommand, 'override', 'mf-pricing', folder, '--port', '0'], {
    env: environment(),
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const [link] = await once(createInterface(serving.stdout), 'line');
  const { version } = await verified(String(link));
  const answer = await fetch(version.entry.url);
  assert.equal(answer.headers.get('access-control-allow-origin'), '*');
  assert.equal(integrityOf(new Uint8Array(await answer.arrayBuffer())), version.entry.integrity);
  serving.kill('SIGINT');
  const [exitCode] = await once(serving, 'exit');
  assert.equal(exitCode, 0);
});

test('without a key of the site there is no link, in one sentence that says where to get one', async () => {
  const { code, stderr } = await runRelease(['override', 'mf-pricing', await build('1.3.0')], {
    DATA_DIR: join(directory, 'data'),
  });
  assert.equal(code, 1);
  assert.match(stderr, /^OVERRIDE_KEY is missing\. .*--new-key/);
});
