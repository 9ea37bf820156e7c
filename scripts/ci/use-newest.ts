/** Puts the newest webpack and federation packages into every package.json, and prints them as a list. For a trial only. */
import { execFileSync } from 'node:child_process';
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { triedPackages, withVersions } from './newest-versions.ts';

const root = join(import.meta.dirname, '..', '..');
const newest = Object.fromEntries(
  triedPackages.map((name) => [
    name,
    execFileSync('npm', ['view', name, 'version'], { encoding: 'utf8' }).trim(),
  ]),
);
for (const file of globSync('{package.json,*/package.json,packages/*/package.json}', { cwd: root })) {
  const path = join(root, file);
  const before = readFileSync(path, 'utf8');
  const after = withVersions(before, newest);
  if (after !== before) writeFileSync(path, after);
}
for (const [name, version] of Object.entries(newest)) console.log(`- ${name} ${version}`);
