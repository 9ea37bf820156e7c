/** `npm run bench [-- <name> …] [--json] [--soak]`: runs the named benchmarks, or all. */
import { parseArgs } from 'node:util';
import { leads } from './leads/leads.ts';
import { pageWeight } from './page-weight.ts';
import { releaseSpeed } from './release-speed.ts';

/** A benchmark measures, and says what it found in words. The figures themselves are for machines. */
interface Benchmark {
  run(options: { readonly soak: boolean }): Promise<{ readonly figures: unknown; readonly report: string }>;
}

const benchmarks: Readonly<Record<string, Benchmark>> = {
  weight: { run: pageWeight },
  release: { run: releaseSpeed },
  leads: { run: leads },
};

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { json: { type: 'boolean' }, soak: { type: 'boolean' } },
});
const chosen = positionals.length > 0 ? positionals : Object.keys(benchmarks);
const unknown = chosen.find((name) => !(name in benchmarks));

if (unknown) {
  console.error(`There is no benchmark "${unknown}". Choose from: ${Object.keys(benchmarks).join(', ')}.`);
  process.exitCode = 1;
} else {
  for (const name of chosen) {
    const result = await benchmarks[name]?.run({ soak: values.soak ?? false });
    if (result) console.log(values.json ? JSON.stringify({ [name]: result.figures }) : result.report);
  }
}
