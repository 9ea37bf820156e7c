import assert from 'node:assert/strict';
import { EventEmitter, once } from 'node:events';
import { connect } from 'node:net';
import { test } from 'node:test';
import { sendRequest, startStubService } from '../testing/stub-service.ts';
import { createLiveSite, createTemporaryStore } from '../testing/temporary-store.ts';
import { openSite } from './open-site.ts';

test('site shutdown: a lead in flight gets its answer, new visitors get none', async () => {
  await using store = await createTemporaryStore();
  const lead = new EventEmitter();
  const arrived = once(lead, 'arrived');
  const stored = once(lead, 'stored');
  await using service = await startStubService(async (_request, response) => {
    lead.emit('arrived');
    await stored;
    response.writeHead(201).end('Thank you');
  });
  await using site = await openSite(store.objects, service.origin, 0);
  const sending = sendRequest(site.port, '/api/contact', { method: 'POST', body: '{}' });
  await arrived;
  const closing = site.close(async () => {
    await assert.rejects(sendRequest(site.port, '/'), /ECONNREFUSED/);
    lead.emit('stored');
  });
  const { status, body } = await sending;
  assert.equal(status, 201);
  assert.equal(body.toString(), 'Thank you');
  await closing;
});

// Shorter than all timeouts of clients.
test('site shutdown: idle connections, used or not, do not delay it', { timeout: 9_000 }, async () => {
  await using store = await createLiveSite({ shell: '1.0.0' });
  await using site = await openSite(store.objects, 'http://127.0.0.1:9', 0);
  const silent = connect(site.port, '127.0.0.1');
  await once(silent, 'connect');
  assert.equal((await fetch(`http://127.0.0.1:${site.port}/`)).status, 200);
  await site.close();
  await once(silent, 'close');
});

test('site shutdown: an answer that never comes does not delay it for long', async () => {
  await using store = await createTemporaryStore();
  const lead = new EventEmitter();
  const arrived = once(lead, 'arrived');
  await using service = await startStubService(() => lead.emit('arrived'));
  await using site = await openSite(store.objects, service.origin, 0);
  const refused = assert.rejects(sendRequest(site.port, '/api/contact', { method: 'POST', body: '{}' }));
  await arrived;
  await site.close();
  await refused;
});
