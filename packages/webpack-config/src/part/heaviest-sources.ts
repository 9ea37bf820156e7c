import type { SourceShare } from '@countersign/contracts/part-manifest';
import { decodedMappings, TraceMap } from '@jridgewell/trace-mapping';

/** Maximum number of sources in the manifest. */
const maxSources = 10;

/** An emitted file and its source map. */
export interface MappedFile {
  readonly text: string;
  readonly map: string;
}

/**
 * Finds the sources of emitted files by size, largest first. Uses source maps, because they describe the code
 * after minification and tree shaking. Characters without a source count towards the total only.
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
        // A segment ends at the next one, or at the end of the line.
        const length = (segments[position + 1]?.[0] ?? line.length) - column;
        const owner = sourceOf(name);
        sizes.set(owner, (sizes.get(owner) ?? 0) + length);
      });
    }
  }
  return [...sizes]
    .sort(([, one], [, other]) => other - one)
    .slice(0, maxSources)
    .map(([source, size]) => ({ source, share: Number((size / total).toFixed(4)) }));
}

/**
 * Groups a source: package or package scope of an installed module, else file or folder below the part's `src`,
 * else the bundler.
 */
function sourceOf(source: string): string {
  const [, installed] = /.*\/node_modules\/([^/]+)/.exec(source) ?? [];
  if (installed) return installed.startsWith('@') ? `${installed}/*` : installed;
  const [, workspace] = /\/(packages\/[^/]+)\//.exec(source) ?? [];
  if (workspace) return workspace;
  const [, own] = /\/(src\/[^/?]+)/.exec(source) ?? [];
  return own ?? 'the bundler';
}
