import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startStubService } from '../testing/stub-service.ts';
import { readPageReports } from './page-reports.ts';

test('page reports: a response without end is cut', async () => {
  await using service = await startStubService((_request, response) => {
    const more = () => {
      while (response.write('a'.repeat(2 ** 20)));
    };
    response.on('drain', more);
    more();
  });
  await assert.rejects(readPageReports({ url: service.origin, token: '' }, 0), {
    message: /cannot be read: it answered more than 67108864 bytes\.$/,
  });
});
