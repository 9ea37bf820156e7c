/** @jest-environment node */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { partManifest, partManifestFile } from '@countersign/contracts/part-manifest';
import { remote } from './remote.ts';

it('the built part exposes exactly what remote.ts says', () => {
  const built = partManifest.parse(
    JSON.parse(readFileSync(join(__dirname, 'dist', partManifestFile), 'utf8')),
  );
  expect(built.name).toBe(remote.name);
  expect(Object.keys(built.exposes)).toEqual(Object.keys(remote.exposes));
  for (const chunk of Object.values(built.exposes)) expect(chunk.scripts).not.toHaveLength(0);
});
