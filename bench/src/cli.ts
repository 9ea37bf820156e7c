/**
 * `npm run bench [-- <name> …] [--json] [--runs <n>] [--profiles <list>] [--variants <list>] [--write]`
 *
 * Runs the named benchmarks, or all of them.
 */
import { parseArgs } from 'node:util';
import { leadLoad } from './leads/lead-load.ts';
import { pageSpeed } from './page/page-speed.ts';

/** A benchmark returns a report for people and figures for programs. */
interface Benchmark {
  run(options: Options): Promise<{ readonly figures: unknown; readonly report: string }>;
}

interface Options {
  readonly runs: number;
  readonly profiles: string | undefined;
  readonly variants: string | undefined;
  readonly write: boolean;
}

const benchmarks: Readonly<Record<string, Benchmark>> = {
  page: { run: pageSpeed },
  leads: { run: leadLoad },
};

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    json: { type: 'boolean' },
    runs: { type: 'string', default: '9' },
    profiles: { type: 'string' },
    variants: { type: 'string' },
    write: { type: 'boolean' },
  },
});
const chosen = positionals.length > 0 ? positionals : Object.keys(benchmarks);
const options: Options = {
  runs: Math.max(1, Number(values.runs) || 9),
  profiles: values.profiles,
  variants: values.variants,
  write: values.write ?? false,
};
const unknown = chosen.find((name) => !(name in benchmarks));

if (unknown) {
  console.error(`Unknown benchmark "${unknown}". Known benchmarks: ${Object.keys(benchmarks).join(', ')}.`);
  process.exitCode = 1;
} else {
  for (const name of chosen) {
    const result = await benchmarks[name]?.run(options);
    if (result) console.log(values.json ? JSON.stringify({ [name]: result.figures }) : result.report);
  }
}
