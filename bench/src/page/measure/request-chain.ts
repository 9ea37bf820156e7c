import type { LoggedRequest } from './network-log.ts';

type Link = Pick<LoggedRequest, 'url' | 'kind' | 'initiator' | 'askedBy' | 'begun' | 'ended' | 'fromCache'>;

/**
 * How many files the longest chain has of which each had to arrive before the next was asked for. The document is the
 * first. What the HTML or a stylesheet names follows that file. What a script asks for follows the longest chain of
 * documents, scripts and data that had arrived by then, because any of them may have told the script to ask. Reports that
 * the page sends are no part of it.
 */
export function chainDepth(requests: readonly Link[], until: number): number {
  const depths = new Map<Link, number>();
  const counted = requests.filter(({ kind, begun }) => kind !== 'Ping' && begun <= until);
  for (const request of counted.toSorted((a, b) => a.begun - b.begun)) {
    const before = [...depths].filter(([{ ended }]) => ended !== undefined && ended <= request.begun);
    const causes =
      request.initiator === 'script'
        ? before.filter(([{ kind }]) => ['Document', 'Script', 'Fetch', 'XHR'].includes(kind))
        : [...depths].filter(([{ url }]) => url === request.askedBy);
    depths.set(request, 1 + Math.max(0, ...causes.map(([, depth]) => depth)));
  }
  return Math.max(0, ...depths.values());
}
