import { leadTypes } from '@countersign/contracts/lead';
import { Option, type Command } from 'commander';
import { leadStatuses } from '../database/tables.ts';
import { quarantineViews, type FilterParameters, type QuarantineView } from '../lead-admin/lead-filter.ts';

/** Values of the options of a lead filter that are not given. */
export interface FilterDefaults {
  readonly quarantine: QuarantineView;
}

/** Adds the options of a lead filter. `parseLeadFilter` validates their values. */
export function addFilterOptions(command: Command, { quarantine }: FilterDefaults): Command {
  return command
    .addOption(new Option('--type <type>', 'type of the lead').choices(leadTypes))
    .addOption(new Option('--status <status>', 'status of the lead').choices(leadStatuses))
    .option('--since <time>', 'received at this time or later: 2026-11-21 or 2026-11-21T09:30:00Z')
    .option('--until <time>', 'received before this time')
    .addOption(
      new Option('--quarantine <which>', 'leads in quarantine').choices(quarantineViews).default(quarantine),
    );
}

export interface JsonOption {
  readonly json?: boolean;
}

export const jsonOption = ['--json', 'print JSON for programs'] as const;

export type FilterOptions = FilterParameters & JsonOption;
