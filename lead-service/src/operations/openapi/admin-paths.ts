import type { Json } from './schemas.ts';

/** Method, path below `/admin/api`, scope that the token needs, and what happens. */
const operations = [
  ['get', '/leads', 'read', 'Lists leads, newest first.'],
  ['post', '/leads/search', 'read', 'Lists leads that hold a text.'],
  ['get', '/leads/{id}', 'read', 'Shows a lead with its deliveries.'],
  ['put', '/leads/{id}/status', 'write', 'Says what has become of a lead.'],
  ['post', '/leads/{id}/not-spam', 'write', 'Releases a lead from quarantine, with its mails and webhooks.'],
  [
    'get',
    '/export',
    'export',
    'Leads that fit a filter, without those in quarantine: as CSV, or as JSON lines with format=jsonl.',
  ],
  ['get', '/stats', 'read', 'Counts.'],
  ['get', '/dead-letters', 'read', 'Lists deliveries that were given up.'],
  ['post', '/dead-letters/replay', 'write', 'Sends them again, some or all.'],
  ['post', '/people/export', 'erase', 'Everything that is kept of a person.'],
  ['post', '/people/erase', 'erase', 'Erases what is kept of a person.'],
  ['post', '/people/suppress', 'write', 'Keeps confirmations from an address.'],
] as const;

const id = { name: 'id', in: 'path', required: true, schema: { type: 'string' } };

/** The sales side for programs. It is there only where tokens are configured. */
export function adminPaths(): Json {
  const byPath = Map.groupBy(operations, ([, path]) => path);
  return Object.fromEntries(
    [...byPath].map(([path, group]) => [`/admin/api${path}`, pathItem(path, group)] as const),
  );
}

function pathItem(path: string, group: readonly (typeof operations)[number][]): Json {
  const methods = group.map(([method, , scope, summary]) => [
    method,
    {
      operationId: `admin-${method}${path.replaceAll(/[/{}]+/g, '-').replace(/-$/, '')}`,
      summary,
      description: `Needs a token with the scope \`${scope}\`.`,
      security: [{ adminToken: [] }],
      responses: {
        200: { description: summary },
        401: { description: 'No token that is known.' },
        403: { description: 'The token lacks the scope.' },
        default: { description: 'One sentence that says what is wrong, or a problem document.' },
      },
    },
  ]);
  return { ...(path.includes('{id}') && { parameters: [id] }), ...Object.fromEntries(methods) };
}
