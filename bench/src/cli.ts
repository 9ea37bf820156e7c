/** `npm run bench [-- page|leads …] [--runs <n>] [--profiles <list>] [--variants <list>]` runs the named benchmarks, or both. */
import { parseArgs } from 'node:util';
import { leadLoad } from './leads/lead-load.ts';
import { pageSpeed } from './page/page-speed.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    runs: { type: 'string', default: '9' },
    profiles: { type: 'string', default: 'slow,fast,loopback' },
    variants: { type: 'string', default: 'plain,prerendered,default,ours' },
  },
});
const benchmarks: Readonly<Record<string, () => Promise<string>>> = {
  page: () => pageSpeed(Number(values.runs), values.profiles.split(','), values.variants.split(',')),
  leads: leadLoad,
};

for (const name of positionals.length > 0 ? positionals : Object.keys(benchmarks)) {
  const run = benchmarks[name];
  if (!run) throw new Error(`Unknown benchmark "${name}". Known benchmarks: page, leads.`);
  console.log(await run());
}
