import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join, matchesGlob } from 'node:path';
import { test } from 'node:test';
import * as z from 'zod/mini';

const root = join(import.meta.dirname, '..', '..');

/** The options of Renovate that this configuration uses. Its own validator takes longer to install than all else here. */
const renovate = z.strictObject({
  $schema: z.literal('https://docs.renovatebot.com/renovate-schema.json'),
  extends: z.array(z.string()),
  timezone: z.string(),
  schedule: z.array(z.string()),
  prConcurrentLimit: z.number(),
  minimumReleaseAge: z.string(),
  internalChecksFilter: z.enum(['strict', 'flexible', 'none']),
  packageRules: z.array(
    z.strictObject({
      description: z.string(),
      groupName: z.optional(z.string()),
      matchPackageNames: z.array(z.string()),
      allowedVersions: z.optional(z.string()),
    }),
  ),
});

const manifest = z.object({
  dependencies: z.optional(z.record(z.string(), z.string())),
  devDependencies: z.optional(z.record(z.string(), z.string())),
  optionalDependencies: z.optional(z.record(z.string(), z.string())),
  overrides: z.optional(z.record(z.string(), z.unknown())),
});

const read = (file: string): unknown => JSON.parse(readFileSync(join(root, file), 'utf8'));
const { packageRules } = renovate.parse(read('.github/renovate.json'));
const manifests = globSync('{package.json,*/package.json,packages/*/package.json}', {
  cwd: root,
}).map((file) => manifest.parse(read(file)));
const used = [
  ...new Set(
    manifests.flatMap(({ dependencies, devDependencies, optionalDependencies }) =>
      Object.keys({ ...dependencies, ...devDependencies, ...optionalDependencies }),
    ),
  ),
];

test('renovate: every rule concerns a package that is used', () => {
  for (const pattern of packageRules.flatMap(({ matchPackageNames }) => matchPackageNames)) {
    assert(
      used.some((name) => matchesGlob(name, pattern)),
      `no package matches ${pattern}`,
    );
  }
});

test('renovate: all federation packages and webpack come in one group', () => {
  const group = packageRules.find(({ groupName }) => groupName === 'module federation');
  const federated = used.filter((name) => name.startsWith('@module-federation/') || name === 'webpack');
  assert(federated.length >= 3);
  for (const name of federated) {
    assert(
      group?.matchPackageNames.some((pattern) => matchesGlob(name, pattern)),
      name,
    );
  }
});

test('renovate: webpack stays at the version that package.json pins', () => {
  const pinned = packageRules.find(({ allowedVersions, matchPackageNames }) =>
    Boolean(allowedVersions && matchPackageNames.includes('webpack')),
  );
  assert.equal(pinned?.allowedVersions, manifest.parse(read('package.json')).overrides?.['webpack']);
});
