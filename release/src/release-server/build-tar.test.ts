import assert from 'node:assert/strict';
import { mkdtempDisposable, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { test } from 'node:test';
import { createTarPacker, packTar, type TarHeader } from 'modern-tar';
import { writeBuiltPart } from '../testing/built-part.ts';
import { packBuild, unpackBuild } from './build-tar.ts';

const createFolder = () => mkdtempDisposable(join(tmpdir(), 'build-tar-'));

/** Unpacks a tar with these entries. Files have one byte. */
async function unpack(headers: readonly Partial<TarHeader>[]): Promise<void> {
  await using folder = await createFolder();
  const tar = join(folder.path, 'build.tar');
  const entries = headers.map((header) => {
    const body = header.type === undefined ? 'a' : '';
    return { header: { name: 'a.js', size: body.length, ...header }, body };
  });
  await writeFile(tar, await packTar(entries));
  await unpackBuild(tar);
}

const long = `chunks/${'long-name-'.repeat(19)}.js`;

test('build tar: what was packed is unpacked, and the same files make the same tar', async () => {
  await using folder = await createFolder();
  const files = { 'part.json': '{}', 'empty.js': '', [long]: 'x'.repeat(200_000) };
  await writeBuiltPart(folder.path, files);
  const tar = join(folder.path, 'build.tar');
  const pack = () => buffer(packBuild(folder.path, Object.keys(files)));
  await writeFile(tar, await pack());
  assert.deepEqual(await readFile(tar), await pack());
  const unpacked = await unpackBuild(tar);
  for (const [name, content] of Object.entries(files)) {
    assert.equal(await readFile(join(unpacked, name), 'utf8'), content);
  }
  await assert.rejects(buffer(packBuild(folder.path, ['a.js'])), /has lost a\.js\. Publish again when/);
});

const pathOf = (name: string) =>
  new RegExp(`^ReleaseError: The build holds ${name}\\. The name of a file must be a path`);
const twice =
  /^ReleaseError: The build holds (\S+) twice, or a folder of this name\. Build the part again\.$/;

for (const [what, headers, message] of [
  ['a path out of the folder', [{ name: '../a.js' }], pathOf('../a.js')],
  ['a path that leaves the folder later', [{ name: 'a/../../a.js' }], pathOf('a/../../a.js')],
  ['an absolute path', [{ name: '/tmp/a.js' }], pathOf('/tmp/a.js')],
  ['a path of Windows', [{ name: '..\\a.js' }], pathOf('..\\\\a.js')],
  ['a symbolic link', [{ type: 'symlink', linkname: '/etc/passwd' }], /holds the symlink a\.js\. Replace it/],
  ['a hard link', [{ type: 'link', linkname: '../a.js' }], /holds the link a\.js\. Replace it by a copy/],
  ['a device', [{ type: 'character-device' }], /holds the character-device a\.js\. Replace it by a copy/],
  ['a folder', [{ type: 'directory' }], /holds the directory a\.js\. Replace it by a copy/],
  ['a file twice', [{}, {}], twice],
  ['a file in a file', [{ name: 'a' }, { name: 'a/b.js' }], twice],
  ['a file in the place of a folder', [{ name: 'a/b.js' }, { name: 'a' }], twice],
] as const) {
  test(`build tar: ${what} is refused`, () => assert.rejects(unpack(headers), message));
}

test('build tar: a file that is too large, or not all there, is refused', async () => {
  await using folder = await createFolder();
  const tar = join(folder.path, 'build.tar');
  for (const [size, message] of [
    [100_000_001, /has 101 MB in 1 files to publish, and at most 100 MB in 5000 files are allowed/],
    [900_000, /The upload is not a complete tar\. Use the same version/],
  ] as const) {
    const { readable, controller } = createTarPacker();
    controller.add({ name: 'a.js', size });
    const { value: header = '' } = await readable.getReader().read();
    await writeFile(tar, header);
    await assert.rejects(unpackBuild(tar), message);
  }
});
