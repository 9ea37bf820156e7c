import type { HistoryEntry } from '../store/history.ts';
import type { Run } from './command-context.ts';
import { table } from './print.ts';

/** Changes in the table of `history`, unless an option says more. */
const shownChanges = 20;

export const history: Run<'history'> = async (
  { json = false, most = json ? Infinity : shownChanges },
  { store },
) => {
  const live = await store.readLive();
  const entries = live ? (await store.recentHistory(live, most)).toReversed() : [];
  const rows = entries.map((entry) => [
    String(entry.sequence),
    entry.at.slice(0, 19).replace('T', ' '),
    entry.who,
    entry.action,
    entry.part ?? '',
    describeVersions(entry),
    entry.releaseId,
    entry.forced ? `forced: ${entry.why ?? ''}` : (entry.why ?? ''),
  ]);
  const lines = table(['', 'when', 'who', 'what', 'part', 'versions', 'release', 'why'], rows);
  return { json: entries, lines };
};

/** `1.0.0 → 1.1.0`, or what else the entry says of its versions. */
function describeVersions({ from, to, action }: HistoryEntry): string {
  if (action === 'remove') return `${from ?? ''} removed`;
  return from === undefined ? (to ?? '') : `${from} → ${to ?? ''}`;
}
