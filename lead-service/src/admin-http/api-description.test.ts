import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { KyselyPlugin } from 'kysely';
import * as adminErrors from '../../admin/admin-errors.ts';
import { adminScopes, createToken, hashToken } from '../../admin/admin-token.ts';
import type { Administration } from '../../admin/administration.ts';
import { apiRoutes } from '../../admin/api-routes.ts';
import { createFailedLogins } from '../../admin/failed-logins.ts';
import { problemType } from '../../problem-type.ts';
import * as salesErrors from '../../sales/sales-errors.ts';
import { createSecret } from '../../secret.ts';
import type { Database } from '../../store/database.ts';
import { assertDescribed, described, describedErrors } from '../../testing/described-answers.ts';
import { openTestDatabase, storeLead } from '../../testing/desk-database.ts';
import { createMemoryLog } from '../../testing/memory-log.ts';
import { sampleLead } from '../../testing/sample-lead.ts';
import { serveAdmin, type ServedApp } from '../../testing/served-app.ts';
import { createSqlite } from '../../testing/test-databases.ts';

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

/** What the document has of it, as `get /leads/{id}`. */
const operations = Object.entries(described).flatMap(([path, methods]) =>
  path.startsWith(base)
    ? Object.keys(methods)
        .filter((method) => method !== 'parameters' && method !== 'servers')
        .map((method) => `${method} ${path.slice(base.length)}`)
    : [],
);

function errorsOf(operation: string): string[] {
  const [method = '', path = ''] = operation.split(' ');
  return describedErrors(base + path, method);
}

type Request = readonly [method: string, path: string, body?: object];

function operationOf([method, path]: Request): string {
  return `${method} ${path.replace(/\?.*/, '').replace(/^\/leads\/(?!search$)[^/]+/, '/leads/{id}')}`;
}

/** One that is right for each operation. */
function rightRequests(id: string): readonly Request[] {
  return [
    ['get', '/leads'],
    ['post', '/leads/search', { text: 'templates' }],
    ['get', `/leads/${id}`],
    ['put', `/leads/${id}/status`, { status: 'won' }],
    ['post', `/leads/${id}/not-spam`],
    ['get', '/export'],
    ['get', '/stats'],
    ['get', '/dead-letters'],
    ['post', '/dead-letters/replay', { all: true }],
    ['post', '/people/export', { email: sampleLead.email }],
    ['post', '/people/erase', { email: sampleLead.email }],
    ['post', '/people/suppress', { email: sampleLead.email }],
  ];
}

/** Those that are refused, each for another reason, with a lead that is not in quarantine and one that is erased. */
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
    ['get', '/export?format=xls'],
    ['get', '/dead-letters?limit=0'],
    ['post', '/dead-letters/replay', {}],
    ['post', '/people/export', {}],
    ['post', '/people/erase', {}],
    ['post', '/people/suppress', {}],
  ];
}

describe('the description of the administration', () => {
  test('has all addresses that there are', async () => {
    await using database = await createSqlite();
    await using opened = await openTestDatabase(database);
    const routes = apiRoutes(administer(opened)).stack.flatMap(({ path, methods }) =>
      methods
        .filter((method) => method !== 'HEAD')
        .map((method) =>
          `${method.toLowerCase()} ${String(path).slice(base.length)}`.replace(/:(\w+)/, '{$1}'),
        ),
    );
    assert.deepEqual(operations, routes);
  });

  test('has the errors that each address answers with, and no others', async () => {
    await using database = await createSqlite();
    await using opened = await openTestDatabase(database);
    const { id, receivedAt } = await storeLead(opened);
    const { id: erased } = await storeLead(opened, { erasedAt: receivedAt });
    const db = opened.db.withPlugin(failing);
    await using app = await serve(opened);
    await using broken = await serve({ ...opened, db });
    await using away = await serve({
      ...opened,
      db,
      access: { ...opened.access, unavailability: () => 'away' },
    });

    const seen = new Map(operations.map((operation) => [operation, new Set<string>()]));
    async function refuse(request: Request, { url }: ServedApp, headers = {}, text?: string): Promise<void> {
      const [method, path, body] = request;
      const answer = await fetch(url + base + path, {
        method: method.toUpperCase(),
        headers: {
          accept: 'application/problem+json',
          authorization: `Bearer ${token}`,
          'content-type': 'application/json',
          ...headers,
        },
        ...(body && { body: text ?? JSON.stringify(body) }),
      });
      const operation = operationOf(request);
      const problem = (await answer.clone().json()) as { readonly type: string };
      seen.get(operation)?.add(problem.type);
      await assertDescribed(base + operation.replace(/.* /, ''), method, answer);
    }

    for (const request of rightRequests(id)) {
      await refuse(request, app, { authorization: '' });
      await refuse(request, app, { authorization: `Bearer ${powerless}` });
      await refuse(request, broken);
      await refuse(request, away);
      if (request[2] === undefined) continue;
      await refuse(request, app, {}, '{');
      await refuse(request, app, {}, JSON.stringify({ text: 'x'.repeat(20_000) }));
      await refuse(request, app, { 'content-type': 'text/plain' });
    }
    for (const request of wrongRequests(id, erased)) await refuse(request, app);
    await using flooded = await serve(opened);
    const stranger = { authorization: `Bearer ${createToken()}` };
    for (const request of Array.from({ length: 10 }, () => rightRequests(id)[0] ?? assert.fail())) {
      await refuse(request, flooded, stranger);
    }
    for (const request of rightRequests(id)) await refuse(request, flooded);

    for (const [operation, types] of seen) {
      assert.deepEqual([...types].sort(), errorsOf(operation).sort(), operation);
    }
  });

  test('knows every error of the administration that pages of the inbox do not keep for themselves', () => {
    const { tooManyFailedLogins, ...others } = adminErrors;
    const factories = [...Object.values(others), ...Object.values(salesErrors)];
    const errors = [tooManyFailedLogins(60), ...factories.map((make) => make(''))];
    const known = new Set(operations.flatMap(errorsOf));
    const unknown = errors.map(({ id }) => id).filter((id) => !known.has(problemType(id)));
    assert.deepEqual(unknown, ['forged-form', 'needs-tls']);
  });
});
