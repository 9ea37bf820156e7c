/**
 * `npm run client -w release`: bundles the client of the release server, with all that it imports and their licences, into one file.
 * An argument names another file than `dist/release.mjs`.
 */
import { appendFileSync, globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { readArguments } from '@countersign/contracts/arguments';
import { build } from 'esbuild';

const project = join(import.meta.dirname, '..', '..');
const { positionals } = readArguments('npm run client -w release [-- <file>]', [0, 1]);
const outfile = resolve(positionals[0] ?? join(project, 'release', 'dist', 'release.mjs'));
const { metafile } = await build({
  absWorkingDir: project,
  entryPoints: ['release/src/client.ts'],
  outfile,
  bundle: true,
  platform: 'node',
  // The oldest Node.js that the packages' "engines" allow.
  target: 'node22.18',
  format: 'esm',
  banner: { js: '#!/usr/bin/env node' },
  metafile: true,
});

const packages = Object.keys(metafile.inputs).flatMap(
  (file) => /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file) ?? [],
);
for (const folder of new Set(packages)) {
  const read = (file: string) => readFileSync(join(project, folder, file), 'utf8').trim();
  const { name, version } = JSON.parse(read('package.json')) as { name: string; version: string };
  const texts = globSync('LICEN[CS]E*', { cwd: join(project, folder) }).map(read);
  appendFileSync(outfile, `\n/*\n${[`${name} ${version}`, ...texts].join('\n\n')}\n*/\n`);
}
console.log(outfile);
