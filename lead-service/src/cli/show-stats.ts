import type { Count, LeadStats } from '../sales/lead-stats.ts';
import { say, sayTable } from './output.ts';

export function sayStats(stats: LeadStats): void {
  sayCounts('Type', stats.byType);
  sayCounts('Status', stats.byStatus);
  sayCounts('Day', stats.byDay);
  sayCounts('Deliveries', stats.deliveries);
  say(
    `In quarantine: ${stats.quarantined}. Erased: ${stats.erased}. In the spool of this machine: ${stats.spooled}.`,
  );
  say(`Oldest delivery still to be made: ${stats.oldestUndelivered ?? 'none'}.`);
}

function sayCounts(title: string, counts: readonly Count[]): void {
  if (counts.length > 0)
    sayTable(
      [title, 'Count'],
      counts.map(({ name, count }) => [name, count]),
    );
}
