import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readVersion } from '../../store/stored-version.ts';
import { compatibleRemote, compatibleShell } from '../../testing/compatible-part.ts';
import { createSiteOf } from '../../testing/temporary-store.ts';
import { contractTypes } from './contract-types.ts';

test('contract types: types that do not compile in time are a violation', async () => {
  await using site = await createSiteOf(compatibleShell('1.0.0'), compatibleRemote('mf-pricing', '1.0.0'));
  const { store } = site;
  const { manifest: shell } = await readVersion(store, 'shell', '1.0.0');
  const version = { store, shell, ...(await readVersion(store, 'mf-pricing', '1.0.0')) };
  assert.deepEqual(await contractTypes(version), []);
  assert.deepEqual(await contractTypes(version, 1), [
    'cannot be checked with the contract of shell 1.0.0: the types do not compile within 0.001 s. Simplify them, or check again when the machine is idle.',
  ]);
});
