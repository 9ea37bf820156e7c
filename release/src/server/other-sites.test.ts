import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startNginx } from '../testing/running-nginx.ts';
import { sendRequest, type RawResponse } from '../testing/send-request.ts';
import { serveSite } from '../testing/served-site.ts';

const page = { accept: 'text/html,*/*;q=0.8' };

/** What tells a browser whether a page of another site may use a response. */
function permissionsIn({ status, headers }: RawResponse) {
  return {
    status,
    readers: headers['access-control-allow-origin'],
    loaders: headers['cross-origin-resource-policy'],
    varies: /\bOrigin\b/.test(String(headers.vary)),
  };
}

test('other sites: nginx lets them load parts as the local server does', async () => {
  const listed = ['https://app.example', 'https://intranet.example:8443', 'http://localhost:5173'];
  for (const origins of [[], listed, ['*']]) {
    await using site = await serveSite('http://127.0.0.1:9', origins);
    await using nginx = await startNginx(site.directory, 9, origins);
    const paths = [
      '/',
      '/mf-pricing.json',
      '/nothing.json',
      '/robots.txt',
      '/mf-pricing/1.0.0/entry.js',
      '/mf-pricing/9.9.9/entry.js',
    ];
    for (const path of paths) {
      for (const origin of [
        ...listed,
        undefined,
        'null',
        '*',
        'https://app.example.evil.example',
        'https://intranet.example',
        'http://app.example',
        listed.join(' '),
        listed.join(),
        `|${listed[0]}`,
      ]) {
        const question = { headers: { ...page, ...(origin === undefined ? {} : { origin }) } };
        const [ours, theirs] = [
          await site.request(path, question),
          await sendRequest(nginx.port, path, question),
        ];
        const what = `${path} for ${origin}, allowed ${origins.join()}`;
        assert.deepEqual(permissionsIn(theirs), permissionsIn(ours), what);
      }
    }
  }
});

test('other sites: nginx reads their list as it is written in PARTS_ORIGINS', async () => {
  await using site = await serveSite();
  for (const [written, allowed] of [
    ['', undefined],
    [' ', undefined],
    [' * ', '*'],
    ['https://app.example', 'https://app.example'],
    ['https://intranet.example, https://app.example/', 'https://app.example'],
  ] as const) {
    await using nginx = await startNginx(site.directory, 9, [written]);
    const { headers } = await sendRequest(nginx.port, '/mf-pricing/1.0.0/entry.js', {
      headers: { origin: 'https://app.example' },
    });
    assert.equal(headers['access-control-allow-origin'], allowed, written);
    const policy = allowed === undefined ? 'same-origin' : 'cross-origin';
    assert.equal(headers['cross-origin-resource-policy'], policy, written);
  }
});

test('other sites: an unchanged file is allowed again after its site was listed', async () => {
  const listed = 'https://app.example';
  await using site = await serveSite('http://127.0.0.1:9', [listed]);
  await using nginx = await startNginx(site.directory, 9, [listed]);
  for (const port of [site.port, nginx.port]) {
    const { headers } = await sendRequest(port, '/mf-pricing.json');
    const again = await sendRequest(port, '/mf-pricing.json', {
      headers: { origin: listed, 'if-none-match': String(headers.etag) },
    });
    assert.equal(again.status, 304);
    assert.equal(again.headers['access-control-allow-origin'], listed);
    assert.match(String(again.headers.vary), /\bOrigin\b/);
  }
});
