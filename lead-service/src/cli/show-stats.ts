import type { Count, LeadStats } from '../lead-admin/lead-stats.ts';
import { print, printTable } from './output.ts';

export function printStats(stats: LeadStats): void {
  printCounts('Type', stats.byType);
  printCounts('Status', stats.byStatus);
  printCounts('Day', stats.byDay);
  printCounts('Deliveries', stats.deliveries);
  print(
    `In quarantine: ${stats.quarantined}. Erased: ${stats.erased}. In the spool of this machine: ${stats.spooled}.`,
  );
  print(`Oldest pending delivery: ${stats.oldestUndelivered ?? 'none'}.`);
}

function printCounts(title: string, counts: readonly Count[]): void {
  if (counts.length > 0)
    printTable(
      [title, 'Count'],
      counts.map(({ name, count }) => [name, count]),
    );
}
