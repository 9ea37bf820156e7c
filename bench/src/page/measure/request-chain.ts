import type { LoggedRequest } from './network-log.ts';

type Link = Pick<
  LoggedRequest,
  'url' | 'kind' | 'initiator' | 'initiatorUrl' | 'startedAt' | 'endedAt' | 'fromCache'
>;

/**
 * Length of the longest chain of dependent requests, the document included. A file that the HTML or a
 * stylesheet refers to depends on that file. A script's request depends on the longest chain of documents,
 * scripts and data received before it, because any of them may have caused it. Beacons are not counted.
 */
export function chainDepth(requests: readonly Link[], until: number): number {
  const depths = new Map<Link, number>();
  const counted = requests.filter(({ kind, startedAt }) => kind !== 'Ping' && startedAt <= until);
  for (const request of counted.toSorted((a, b) => a.startedAt - b.startedAt)) {
    const before = [...depths].filter(
      ([{ endedAt }]) => endedAt !== undefined && endedAt <= request.startedAt,
    );
    const causes =
      request.initiator === 'script'
        ? before.filter(([{ kind }]) => ['Document', 'Script', 'Fetch', 'XHR'].includes(kind))
        : [...depths].filter(([{ url }]) => url === request.initiatorUrl);
    depths.set(request, 1 + Math.max(0, ...causes.map(([, depth]) => depth)));
  }
  return Math.max(0, ...depths.values());
}
