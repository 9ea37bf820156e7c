import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { KyselyPlugin } from 'kysely';
import type { Database } from '../database/database.ts';
import { createSecret } from '../platform/secret.ts';
import { createMemoryLog } from '../testing/memory-log.ts';
import { sampleLead } from '../testing/sample-lead.ts';
import { serveAdmin, type ServedApp } from '../testing/served-app.ts';
import { suspicious, storeLead } from '../testing/store-lead.ts';
import { databaseKinds, sqlite } from '../testing/test-databases.ts';
import { assertDescribed, describedErrors } from '../testing/described-answers.ts';
import { adminScopes, createToken, hashToken } from './admin-token.ts';
import type { Administration } from './administration.ts';
import { adminRoutes } from './api-routes.ts';
import { createFailedLogins } from './failed-logins.ts';

const base = '/admin/api';
const unknownClient = { address: 'one', network: 'all' };
const [token, powerless] = [createToken(), createToken()];

function administer(database: Database): Administration {
  return {
    tokens: [
      { name: 'ada', scopes: adminScopes, hash: hashToken(token) },
      { name: 'nobody', scopes: [], hash: hashToken(powerless) },
    ],
    secret: createSecret('a secret of the tests'),
    failedLogins: createFailedLogins(database, () => unknownClient, createMemoryLog()),
    database,
    dataDirectory: '',
  };
}

function serve(database: Database): Promise<ServedApp> {
  return serveAdmin(administer(database));
}

/** Fails every query. */
const failing: KyselyPlugin = {
  transformQuery: () => assert.fail('The database does not answer.'),
  transformResult: async ({ result }) => result,
};

/** Such as `get /leads/{id}`. */
const operations = adminRoutes.map(({ method, path }) => `${method} ${path.slice(base.length)}`);

function errorsOf(operation: string): string[] {
  const [method = '', path = ''] = operation.split(' ');
  return describedErrors(base + path, method);
}

type Request = readonly [method: string, path: string, body?: object];

/** The path of a request in the document. */
function pathOf([, path]: Request): string {
  return base + path.replace(/\?.*/, '').replace(/^\/leads\/(?!search$)[^/]+/, '/leads/{id}');
}

function operationOf(request: Request): string {
  return `${request[0]} ${pathOf(request).slice(base.length)}`;
}

/** Sends a request with a token of every scope. `text` replaces the body. */
function call({ url }: ServedApp, [method, path, body]: Request, headers = {}, text?: string) {
  return fetch(url + base + path, {
    method: method.toUpperCase(),
    headers: {
      accept: 'application/problem+json',
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      ...headers,
    },
    ...(body && { body: text ?? JSON.stringify(body) }),
  });
}

/** A valid request for each operation. */
function rightRequests(id: string): readonly Request[] {
  return [
    ['get', '/leads'],
    ['post', '/leads/search', { text: 'templates' }],
    ['get', `/leads/${id}`],
    ['put', `/leads/${id}/status`, { status: 'won' }],
    ['post', `/leads/${id}/not-spam`],
    ['post', `/leads/${id}/spam`],
    ['get', '/export'],
    ['get', '/stats'],
    ['get', '/dead-letters'],
    ['post', '/dead-letters/replay', { all: true }],
    ['post', '/people/export', { email: sampleLead.email }],
    ['post', '/people/erase', { email: sampleLead.email }],
    ['get', '/page-reports'],
  ];
}

/** Requests that are refused for different reasons, with one lead outside the quarantine and one erased. */
function wrongRequests(id: string, erased: string): readonly Request[] {
  return [
    ['get', '/leads?limit=0'],
    ['post', '/leads/search', {}],
    ['get', '/leads/none'],
    ['get', '/leads/%00'],
    ['put', '/leads/none/status', { status: 'won' }],
    ['put', `/leads/${erased}/status`, { status: 'won' }],
    ['put', `/leads/${id}/status`, {}],
    ['post', '/leads/none/not-spam'],
    ['post', `/leads/${erased}/not-spam`],
    ['post', `/leads/${id}/not-spam`],
    ['post', '/leads/%00/not-spam'],
    ['post', '/leads/none/spam'],
    ['post', '/leads/%00/spam'],
    ['post', `/leads/${erased}/spam`],
    ['get', '/export?format=xls'],
    ['get', '/dead-letters?limit=0'],
    ['post', '/dead-letters/replay', {}],
    ['post', '/people/export', {}],
    ['post', '/people/erase', {}],
    ['get', '/page-reports?since=week'],
  ];
}

describe('admin API description', () => {
  for (const kind of databaseKinds) {
    test(`every answer matches the document on ${kind.name}`, kind.options, async () => {
      await using database = await kind.open();
      const { id, receivedAt } = await storeLead(database, { classification: suspicious });
      await storeLead(database);
      const { id: outboxId } = await database.db
        .updateTable('outbox')
        .set({ state: 'dead', attempts: 1, finishedAt: receivedAt })
        .where('leadId', '!=', id)
        .returning('id')
        .executeTakeFirstOrThrow();
      await database.db
        .insertInto('deliveryAttempts')
        .values({
          ...{ id: 'first', outboxId, number: 1, startedAt: receivedAt, latencyMs: 5 },
          ...{ outcome: 'failed', status: 503, answer: 'Busy.' },
        })
        .execute();
      await using app = await serve(database);
      // Again at the end, when the person is erased.
      for (const request of [
        ...rightRequests(id),
        ['post', '/people/export', { email: sampleLead.email }],
      ] as const) {
        const [method] = request;
        const answer = await call(app, request);
        assert.equal(answer.status, 200, operationOf(request));
        await assertDescribed(pathOf(request), method, answer);
      }
      await assertDescribed(`${base}/export`, 'get', await call(app, ['get', '/export?format=jsonl']));
    });
  }

  test('the document lists exactly the errors of each path', async () => {
    await using database = await sqlite.open();
    const { id, receivedAt } = await storeLead(database);
    const { id: erased } = await storeLead(database, { erasedAt: receivedAt });
    const db = database.db.withPlugin(failing);
    await using app = await serve(database);
    await using broken = await serve({ ...database, db });
    await using unavailable = await serve({
      ...database,
      db,
      access: { ...database.access, unavailability: () => 'unavailable' },
    });

    const seen = new Map(operations.map((operation) => [operation, new Set<string>()]));
    async function refuse(request: Request, app: ServedApp, headers = {}, text?: string): Promise<void> {
      const answer = await call(app, request, headers, text);
      const problem = (await answer.clone().json()) as { readonly type: string };
      seen.get(operationOf(request))?.add(problem.type);
      await assertDescribed(pathOf(request), request[0], answer);
    }

    for (const request of rightRequests(id)) {
      await refuse(request, app, { authorization: '' });
      await refuse(request, app, { authorization: `Bearer ${powerless}` });
      await refuse(request, broken);
      await refuse(request, unavailable);
      if (request[2] === undefined) continue;
      await refuse(request, app, {}, '{');
      await refuse(request, app, {}, JSON.stringify({ text: 'x'.repeat(70_000) }));
      await refuse(request, app, { 'content-type': 'text/plain' });
    }
    for (const request of wrongRequests(id, erased)) await refuse(request, app);
    await using flooded = await serve(database);
    const stranger = { authorization: `Bearer ${createToken()}` };
    for (const request of Array.from({ length: 10 }, () => rightRequests(id)[0] ?? assert.fail())) {
      await refuse(request, flooded, stranger);
    }
    for (const request of rightRequests(id)) await refuse(request, flooded);

    for (const [operation, types] of seen) {
      assert.deepEqual([...types].sort(), errorsOf(operation).sort(), operation);
    }
  });
});
