import assert from 'node:assert/strict';
import { cp, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { CompactSign } from 'jose';
import { makeLogKey, readLogKey, type LogKey } from '../store/log-key.ts';
import {
  createLiveSite,
  storeKinds,
  type TemporaryStore,
  type TestStore,
} from '../testing/temporary-store.ts';
import { acceptRestored } from './accept-restored.ts';
import { SeenHeads } from './seen-heads.ts';
import { signHead, verifyHead } from './verify-head.ts';

const newKey = (): LogKey => readLogKey(makeLogKey().privateKey) ?? assert.fail();
const minutes = (count: number) => new Date(Date.now() + count * 60_000);

/** A signer and a verifier of a store, each with a memory of its own. */
function partiesOf({ store, root }: TestStore, key = newKey()) {
  const memories = { signer: join(root, 'signer.json'), verifier: join(root, 'verifier.json') };
  return {
    key,
    memories,
    sign: (signed = key, now = new Date()) =>
      signHead(store, signed.privateKey, new SeenHeads(memories.signer), now),
    /** Error messages, of which the paths of this test are left out. */
    async verify(now = new Date(), keys = [key]) {
      const publicKeys = keys.map(({ publicKey }) => publicKey);
      const seen = new SeenHeads(memories.verifier);
      const { errors } = await verifyHead(store, { publicKeys, seen, maxAge: 60 * 60_000, now });
      return errors.map((error) => error.replaceAll(root, ''));
    },
  };
}

/** Saves the whole store. Resolves to a function that sets it back. */
async function saved({ directory, root }: TemporaryStore): Promise<() => Promise<void>> {
  const backup = join(root, 'backup');
  await cp(directory, backup, { recursive: true, verbatimSymlinks: true });
  return async () => {
    await rm(directory, { recursive: true });
    await cp(backup, directory, { recursive: true, verbatimSymlinks: true });
  };
}

for (const [kind, createStore] of Object.entries(storeKinds)) {
  test(`head of the log: a signed and recent one passes in a ${kind}, and each change gets a new one`, async () => {
    await using site = await createStore();
    const { sign, verify } = partiesOf(site);
    await site.release({ shell: '1.0.0' });
    assert.match((await verify())[0] ?? '', / has no signed head of its log, so it may be an old state\./);
    for (const version of ['1.1.0', '1.2.0']) {
      await sign();
      assert.deepEqual(await verify(), []);
      await site.release({ shell: version });
    }
    assert.deepEqual(await site.objects.list('heads/'), ['heads/00000002.jws']);
  });
}

test('head of the log: one that is too old, or of the future, is refused', async () => {
  await using site = await createLiveSite({ shell: '1.0.0' });
  const { sign, verify } = partiesOf(site);
  const { at } = await sign();
  assert.deepEqual(await verify(minutes(61)), [
    `The head of the log was signed 61 minutes ago, at ${at}, and 60 minutes are allowed. The store may be frozen at an old state, or the release server does not renew the head: see its log.`,
  ]);
  assert.match((await verify(minutes(-6)))[0] ?? '', /, which is in the future\./);
  await sign(undefined, minutes(50));
  assert.deepEqual(await verify(minutes(61)), []);
});

test('head of the log: another key, and another token of the key, are forged', async () => {
  await using site = await createLiveSite({ shell: '1.0.0' });
  const { sign, verify, key } = partiesOf(site);
  await sign(newKey());
  const forged = /^heads\/00000001\.jws in .* is signed with none of the LOG_PUBLIC_KEYS\./;
  assert.match((await verify())[0] ?? '', forged);
  const { sequence, hash } = (await site.store.readLive())?.entry ?? assert.fail();
  const payload = Buffer.from(JSON.stringify({ sequence, hash, at: new Date() }));
  const other = await new CompactSign(payload)
    .setProtectedHeader({ alg: 'EdDSA', typ: 'JWT' })
    .sign(key.privateKey);
  await site.objects.overwrite('heads/00000001.jws', Buffer.from(other));
  assert.match((await verify())[0] ?? '', forged);
});

test('head of the log: a link that leads nowhere is an error, and no endless search', async () => {
  await using site = await createLiveSite({ shell: '1.0.0' });
  const { sign, verify } = partiesOf(site);
  await sign();
  await symlink('nowhere', join(site.directory, 'heads', '99999999.jws'));
  assert.match((await verify())[0] ?? '', / lists heads\/99999999\.jws, and has no such file\./);
});

test('head of the log: keys can be replaced while verifiers know both', async () => {
  await using site = await createLiveSite({ shell: '1.0.0' });
  const { sign, verify, key } = partiesOf(site);
  const next = newKey();
  await sign();
  assert.deepEqual(await verify(undefined, [key, next]), []);
  await sign(next);
  assert.deepEqual(await verify(undefined, [key, next]), []);
  assert.deepEqual(await verify(undefined, [next]), []);
  assert.match((await verify(undefined, [key]))[0] ?? '', /none of the LOG_PUBLIC_KEYS/);
});

test('head of the log: a store that was set back with its log and head is found, and gets no new head', async () => {
  await using site = await createLiveSite({ shell: '1.0.0' });
  const { sign, verify, memories } = partiesOf(site);
  await sign();
  const setBack = await saved(site);
  await site.release({ shell: '1.1.0' });
  await sign();
  assert.deepEqual(await verify(), []);
  await setBack();
  assert.deepEqual(await site.verify(), []);
  assert.deepEqual(await verify(), [
    'The store was set back: its newest entry is 1, and entry 2 was seen before (/verifier.json). Restore the newer store.',
    'The signed head was set back: it is entry 1, and entry 2 was seen before (/verifier.json).',
  ]);
  const refused = /^ReleaseError: The store was set back: .* entry 2 was signed before \(.*signer\.json\)/;
  await assert.rejects(sign(), refused);
  // A person who accepts the backup removes both memories.
  for (const file of Object.values(memories)) await rm(file);
  await sign();
  assert.deepEqual(await verify(), []);
});

test('head of the log: an older head beside the newer log is found', async () => {
  await using site = await createLiveSite({ shell: '1.0.0' });
  const { sign, verify } = partiesOf(site);
  await sign();
  const earlier = (await site.objects.read('heads/00000001.jws')) ?? assert.fail();
  await site.release({ shell: '1.1.0' });
  await sign();
  assert.deepEqual(await verify(), []);
  await site.objects.overwrite('heads/00000001.jws', earlier.bytes);
  await site.objects.remove(['heads/00000002.jws']);
  assert.match((await verify()).join(), /^The signed head was set back: it is entry 1, and entry 2 was seen/);
});

test('head of the log: a log that was written again is found, and gets no new head', async () => {
  await using site = await createLiveSite({ shell: '1.0.0' });
  const { sign, verify } = partiesOf(site);
  const setBack = await saved(site);
  await site.release({ shell: '1.1.0' });
  await sign();
  assert.deepEqual(await verify(), []);
  const head = (await site.objects.read('heads/00000002.jws')) ?? assert.fail();
  await setBack();
  await site.release({ shell: '1.2.0' });
  await site.release({ shell: '1.3.0' });
  await site.objects.overwrite('heads/00000002.jws', head.bytes);
  assert.deepEqual(await site.verify(), []);
  const forked = 'The log was forked: its entries up to 3 do not follow the entry 2 that was';
  assert.deepEqual(await verify(), [
    `${forked} signed. Restore the log.`,
    `${forked} seen before (/verifier.json). Restore the log.`,
  ]);
  await assert.rejects(sign(), /^ReleaseError: The log was forked: /);
});

test('head of the log: accept-restored is a new entry, so nothing was set back', async () => {
  await using site = await createLiveSite({ shell: '1.0.0' });
  const { sign, verify } = partiesOf(site);
  const before = (await site.objects.read('live.json')) ?? assert.fail();
  await site.release({ shell: '1.1.0' });
  await sign();
  assert.deepEqual(await verify(), []);
  const { tag } = (await site.objects.read('live.json')) ?? assert.fail();
  await site.objects.replace('live.json', before.bytes, tag);
  assert.match(
    (await verify())[0] ?? '',
    /^The store was set back: its newest entry is 1, and entry 2 was signed\./,
  );
  await assert.rejects(sign(), /^ReleaseError: live\.json was set back/);
  await acceptRestored(site.store, { who: 'shell-team', why: 'the disk was restored' });
  await sign();
  assert.deepEqual(await verify(), []);
});
