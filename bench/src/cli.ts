/** `npm run bench` runs the named benchmarks, or all. */
import { readArguments, refuseArguments } from '@countersign/contracts/arguments';
import { leadLoad } from './leads/lead-load.ts';
import { manyLeads } from './leads/many-leads.ts';
import { pageSpeed, variantNames } from './page/page-speed.ts';
import { profiles } from './page/measure/visit.ts';

const usage =
  'npm run bench [-- page|leads|many-leads …] [--runs <number>] [--profiles slow,fast,loopback] [--variants plain,prerendered,default,ours]';
const { values, positionals } = readArguments(usage, [0, 3], {
  runs: { type: 'string', default: '9' },
  profiles: { type: 'string', default: 'slow,fast,loopback' },
  variants: { type: 'string', default: 'plain,prerendered,default,ours' },
});

/** Those of the known names that are wanted, in the order in which they are known. */
function chosenOf<Name extends string>(known: readonly Name[], wanted: readonly string[]): readonly Name[] {
  const unknown = wanted.find((name) => !known.some((each) => each === name));
  if (unknown !== undefined)
    refuseArguments(`Unknown name "${unknown}". Known names: ${known.join(', ')}.`, usage);
  return known.filter((name) => wanted.includes(name));
}

const runs = Number(values.runs);
if (!Number.isSafeInteger(runs) || runs < 1) refuseArguments('--runs must be a whole number from 1.', usage);
const chosenProfiles = chosenOf(
  Object.keys(profiles) as (keyof typeof profiles)[],
  values.profiles.split(','),
);
const chosenVariants = chosenOf(variantNames, values.variants.split(','));
const benchmarks = {
  page: () => pageSpeed(runs, chosenProfiles, chosenVariants),
  leads: leadLoad,
  'many-leads': manyLeads,
};
const names = Object.keys(benchmarks) as (keyof typeof benchmarks)[];
for (const name of positionals.length > 0 ? chosenOf(names, positionals) : names)
  console.log(await benchmarks[name]());
