/**
 * `npm run bench [-- <name> …] [--json] [--soak] [--runs <n>] [--profiles <list>] [--variants <list>] [--parts
 * <list>] [--write]`
 *
 * Runs the named benchmarks, or all of them.
 */
import { parseArgs } from 'node:util';
import { devSpeed } from './dev-speed.ts';
import { growth } from './growth/growth.ts';
import { leads } from './leads/leads.ts';
import { pageSpeed } from './page/page-speed.ts';
import { releaseSpeed } from './release-speed.ts';

/** A benchmark returns a report for people and figures for programs. */
interface Benchmark {
  run(options: Options): Promise<{ readonly figures: unknown; readonly report: string }>;
}

interface Options {
  readonly soak: boolean;
  readonly runs: number;
  readonly profiles: string | undefined;
  readonly variants: string | undefined;
  readonly parts: string | undefined;
  readonly write: boolean;
}

const benchmarks: Readonly<Record<string, Benchmark>> = {
  page: { run: pageSpeed },
  growth: { run: growth },
  release: { run: releaseSpeed },
  dev: { run: devSpeed },
  leads: { run: leads },
};

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    json: { type: 'boolean' },
    soak: { type: 'boolean' },
    runs: { type: 'string', default: '9' },
    profiles: { type: 'string' },
    variants: { type: 'string' },
    parts: { type: 'string' },
    write: { type: 'boolean' },
  },
});
const chosen = positionals.length > 0 ? positionals : Object.keys(benchmarks);
const options: Options = {
  soak: values.soak ?? false,
  runs: Math.max(1, Number(values.runs) || 9),
  profiles: values.profiles,
  variants: values.variants,
  parts: values.parts,
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
