import { leadTypes } from '@countersign/contracts/lead';
import { Option, type Command } from 'commander';
import { quarantineViews, type FilterWords } from '../sales/lead-filter.ts';
import { leadStatuses } from '../store/tables.ts';

/** Options by which leads are chosen. What they hold is checked by `parseLeadFilter`, as everywhere. */
export function addFilterOptions(command: Command, quarantine: string): Command {
  return command
    .addOption(new Option('--type <type>', 'what the visitor asked for').choices(leadTypes))
    .addOption(new Option('--status <status>', 'what sales has made of it').choices(leadStatuses))
    .option('--since <time>', 'received then or later: 2026-11-21 or 2026-11-21T09:30:00Z')
    .option('--until <time>', 'received before then')
    .addOption(
      new Option('--quarantine <which>', 'leads that are held back as possible spam')
        .choices(quarantineViews)
        .default(quarantine),
    );
}

export interface JsonOption {
  readonly json?: boolean;
}

export const jsonOption = ['--json', 'JSON, for machines'] as const;

export type FilterOptions = FilterWords & JsonOption;
