import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { readCall } from './read-call.ts';

/** Receives a call in pieces of some bytes, and resolves to the files that were written. */
async function receive(header: unknown, bytes: string, pieceSize = 7): Promise<Record<string, string>> {
  const root = await mkdtemp(join(tmpdir(), 'read-call-'));
  const folder = join(root, 'a', 'build');
  const body = Buffer.from(`${JSON.stringify(header)}\n${bytes}`);
  const pieces = Array.from({ length: Math.ceil(body.length / pieceSize) }, (_, index) =>
    body.subarray(index * pieceSize, (index + 1) * pieceSize),
  );
  const readFiles = async () => {
    const entries = await readdir(root, { recursive: true, withFileTypes: true });
    const files = entries.filter((entry) => entry.isFile());
    return files.map(({ parentPath, name }) => join(parentPath, name));
  };
  try {
    await readCall(Readable.from(pieces) as AsyncIterable<Buffer>, folder, async () => undefined);
    const files = (await readFiles()).map(async (path) => {
      return [relative(folder, path), await readFile(path, 'utf8')] as const;
    });
    return Object.fromEntries(await Promise.all(files));
  } finally {
    for (const path of await readFiles()) assert(path.startsWith(`${folder}/`), path);
    await rm(root, { recursive: true });
  }
}

const call = (...files: readonly (readonly [string, number])[]) => ({
  words: ['publish', 'mf-pricing'],
  build: { files: files.map(([name, size]) => ({ name, size })) },
});

test('read call: files arrive in pieces of any size', async () => {
  for (const size of [1, 7, 1000]) {
    const files = call(['part.json', 2], ['empty.css', 0], ['public/a.js', 11]);
    assert.deepEqual(await receive(files, '{}hello world', size), {
      'part.json': '{}',
      'empty.css': '',
      'public/a.js': 'hello world',
    });
  }
});

for (const [reason, header, bytes] of [
  ['a folder above', call(['../stolen.js', 1]), 'a'],
  ['a folder above, inside', call(['public/../../../stolen.js', 1]), 'a'],
  ['an absolute path', call(['/tmp/stolen.js', 1]), 'a'],
  ['a backslash', call(['..\\stolen.js', 1]), 'a'],
  ['the folder itself', call(['.', 1]), 'a'],
  ['a name with a null character', call(['a\0.js', 1]), 'a'],
  ['the same name twice', call(['a.js', 1], ['a.js', 1]), 'aa'],
  ['a file that is a folder', call(['a', 1], ['a/b.js', 1]), 'aa'],
  ['a file that is too large', call(['a.js', 20_000_001]), 'a'],
  [
    'a build that is too large',
    call(...Array.from({ length: 6 }, (_, i) => [`a${i}`, 20_000_000] as const)),
    '',
  ],
  ['a negative size', call(['a.js', -1]), ''],
  ['too few bytes', call(['a.js', 3]), 'aa'],
  ['too many bytes', call(['a.js', 1]), 'aa'],
  ['a file in too many folders', call([`${'a/'.repeat(10)}b.js`, 1]), 'a'],
  ['a commit that is none', { words: [], build: { commit: '<b>', files: [] } }, ''],
  ['settings', { ...call(), environment: { RELEASER: 'anna' } }, ''],
  ['a releaser', { ...call(), releaser: 'anna' }, ''],
  ['no call', 'publish', ''],
] as const) {
  test(`read call: ${reason} is refused`, async () => {
    await assert.rejects(receive(header, bytes), /does not understand this call/);
  });
}
