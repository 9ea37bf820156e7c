import { databaseAway, missingScope, tooManyFailedLogins, unauthorized } from '../../admin/admin-errors.ts';
import type { AdminScope } from '../../admin/admin-token.ts';
import { unexpected, type AnswerableError } from '../../errors.ts';
import { erasedLead, invalidRequest, notQuarantined, unknownLead } from '../../sales/sales-errors.ts';
import { bodyErrors } from './error-catalogue.ts';
import { errorResponses, requestIdHeader } from './responses.ts';
import type { Json } from './schemas.ts';

/** Method, path below `/admin/api`, scope that the token needs, what happens, and what it may run into. */
type Operation = readonly [
  method: 'get' | 'post' | 'put',
  path: string,
  scope: AdminScope,
  summary: string,
  errors: readonly AnswerableError[],
];

const invalid = invalidRequest('');
const [unknown, erased, notHeld] = [unknownLead(), erasedLead(), notQuarantined()];

const operations: readonly Operation[] = [
  ['get', '/leads', 'read', 'Lists leads, newest first.', [invalid]],
  ['post', '/leads/search', 'read', 'Lists leads that hold a text.', [...bodyErrors, invalid]],
  ['get', '/leads/{id}', 'read', 'Shows a lead with its deliveries.', [unknown, invalid]],
  [
    'put',
    '/leads/{id}/status',
    'write',
    'Says what has become of a lead.',
    [...bodyErrors, unknown, erased, invalid],
  ],
  [
    'post',
    '/leads/{id}/not-spam',
    'write',
    'Releases a lead from quarantine, with its mails and webhooks.',
    [unknown, erased, notHeld, invalid],
  ],
  [
    'get',
    '/export',
    'export',
    'Leads that fit a filter, without those in quarantine: as CSV, or as JSON lines with format=jsonl.',
    [invalid],
  ],
  ['get', '/stats', 'read', 'Counts.', []],
  ['get', '/dead-letters', 'read', 'Lists deliveries that were given up.', [invalid]],
  ['post', '/dead-letters/replay', 'write', 'Sends them again, some or all.', [...bodyErrors, invalid]],
  ['post', '/people/export', 'erase', 'Everything that is kept of a person.', [...bodyErrors, invalid]],
  ['post', '/people/erase', 'erase', 'Erases what is kept of a person.', [...bodyErrors, invalid]],
  ['post', '/people/suppress', 'write', 'Keeps confirmations from an address.', [...bodyErrors, invalid]],
];

const id = { name: 'id', in: 'path', required: true, schema: { type: 'string' } };

/** ADMIN_HOST and ADMIN_PORT. */
const servers = [
  {
    url: 'http://{host}:{port}',
    description: 'Where the administration listens.',
    variables: { host: { default: '127.0.0.1' }, port: { default: '3002' } },
  },
];

/** The sales side for programs. It is there only where tokens are configured. */
export function adminPaths(): Json {
  const byPath = Map.groupBy(operations, ([, path]) => path);
  return Object.fromEntries(
    [...byPath].map(([path, group]) => [`/admin/api${path}`, pathItem(path, group)] as const),
  );
}

function pathItem(path: string, group: readonly Operation[]): Json {
  const methods = group.map((operation) => [operation[0], describe(operation)]);
  return { servers, ...(path.includes('{id}') && { parameters: [id] }), ...Object.fromEntries(methods) };
}

function describe([method, path, scope, summary, errors]: Operation): Json {
  const all = [
    ...errors,
    unauthorized(),
    missingScope(scope),
    tooManyFailedLogins(60),
    unexpected(undefined),
    databaseAway(undefined),
  ];
  const takesJson = bodyErrors.some((error) => errors.includes(error));
  return {
    operationId: `admin-${method}${path.replaceAll(/[/{}]+/g, '-').replace(/-$/, '')}`,
    summary,
    description: `Needs a token with the scope \`${scope}\`.`,
    security: [{ adminToken: [] }],
    ...(takesJson && {
      requestBody: { required: true, content: { 'application/json': { schema: { type: 'object' } } } },
    }),
    responses: {
      200: { description: summary, headers: requestIdHeader },
      ...errorResponses(all),
    },
  };
}
