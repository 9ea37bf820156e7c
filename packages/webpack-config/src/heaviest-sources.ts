import type { SourceShare } from '@countersign/contracts/part-manifest';
import { decodedMappings, TraceMap } from '@jridgewell/trace-mapping';

/** How many sources are named. The rest is small. */
const namedSources = 10;

/** An emitted file and its source map. */
export interface MappedFile {
  readonly text: string;
  readonly map: string;
}

/**
 * Which sources some emitted files come from, heaviest first. The source maps tell it after minification, when comments and
 * unused exports are gone. Characters without a source count only towards the total.
 */
export function heaviestSources(files: readonly MappedFile[]): SourceShare[] {
  const sizes = new Map<string, number>();
  let total = 0;
  for (const { text, map } of files) {
    total += text.length;
    const traced = new TraceMap(map);
    const mappings = decodedMappings(traced);
    for (const [index, line] of text.split('\n').entries()) {
      const segments = mappings[index] ?? [];
      segments.forEach(([column, source], position) => {
        const name = source === undefined ? null : traced.sources[source];
        if (!name) return;
        // A segment reaches to the next one, or to the end of its line.
        const length = (segments[position + 1]?.[0] ?? line.length) - column;
        const owner = ownerOf(name);
        sizes.set(owner, (sizes.get(owner) ?? 0) + length);
      });
    }
  }
  return [...sizes]
    .sort(([, one], [, other]) => other - one)
    .slice(0, namedSources)
    .map(([source, size]) => ({ source, share: Number((size / total).toFixed(4)) }));
}

/**
 * The package of an installed module, or the scope of its package, since the packages of one scope come together; else the
 * part's own file, or its folder below `src`; else the bundler.
 */
function ownerOf(source: string): string {
  const [, installed] = /.*\/node_modules\/([^/]+)/.exec(source) ?? [];
  if (installed) return installed.startsWith('@') ? `${installed}/*` : installed;
  const [, workspace] = /\/(packages\/[^/]+)\//.exec(source) ?? [];
  if (workspace) return workspace;
  const [, own] = /\/(src\/[^/?]+)/.exec(source) ?? [];
  return own ?? 'the bundler';
}
