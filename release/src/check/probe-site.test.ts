import assert from 'node:assert/strict';
import { test } from 'node:test';
import { siteConfigElementId } from '@countersign/contracts/page-markup';
import { startStubService } from '../testing/stub-service.ts';
import { sampleSiteConfig } from '../testing/temporary-store.ts';
import { fetchSite } from './probe-site.ts';

test('probe: a stream of events, which never ends, is an empty file', async () => {
  const settings = `<script id="${siteConfigElementId}">${JSON.stringify(sampleSiteConfig)}</script>`;
  const type = 'text/event-stream;charset=utf-8';
  await using service = await startStubService(({ url }, response) => {
    if (url === '/') response.end(settings);
    else response.writeHead(200, { 'content-type': type }).write(': open\n\n');
  });
  const { site } = await fetchSite(service.origin);
  const file = await site.read('/updates');
  assert.equal(file?.body, '');
  assert.equal(file.headers['content-type'], type);
});
