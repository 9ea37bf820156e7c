import { partEventName, type PartEvent } from '@countersign/contracts/part-event';
import type { ReleaseDocument, RemoteVersion } from '@countersign/contracts/release-document';
import { servableVersions } from '@countersign/contracts/release-versions';
import { slotAttributes } from '@countersign/contracts/slot-markup';
import type { ModuleFederationRuntimePlugin } from '@module-federation/enhanced/runtime';
import type { PageBlock, PageBlocks } from './page-blocks.ts';

/** `<remote>@<version>/<key>`: how the shell asks the federation runtime for a module. */
const moduleId = /^(mf-[\w-]+)@([^/]+)\/(.+)$/;

/**
 * Records how the blocks load. It observes the page from outside: the federation runtime by a global plugin, late and
 * failed versions by the shell's events, hydration by the slots' attributes. The shell's own script therefore contains no code for it. Call it before
 * the shell's script runs.
 *
 * @param versionsToTry versions that the slots of a remote try, best first
 */
export function watchLoads(
  blocks: PageBlocks,
  release: ReleaseDocument,
  versionsToTry: (remote: PageBlock['remote']) => readonly string[],
): void {
  const versions = new Map(
    Object.values(release.remotes)
      .flatMap(servableVersions)
      .map((version) => [version.globalName, version]),
  );
  watchRuntime(blocks, versions);
  watchAttributes(blocks);
  watchPartEvents(blocks, versions, versionsToTry);
}

function watchRuntime(blocks: PageBlocks, versions: ReadonlyMap<string, RemoteVersion>): void {
  const blocksOf = (id: string) => {
    const [, remote = '', version = '', key = ''] = moduleId.exec(id) ?? [];
    return { version, named: blocks.of(remote, `./${key}`) };
  };
  addGlobalPlugin({
    name: 'boundaries',
    beforeRequest(request) {
      const { version, named } = blocksOf(request.id);
      for (const block of named) blocks.add(block, { kind: 'requested', version });
      return request;
    },
    async onLoad({ id }) {
      const { version, named } = blocksOf(id);
      for (const block of named) {
        const own = block.steps.filter((step) => step.version === version);
        // A stylesheet failed first, and the block went on to another version.
        if (own.some(({ kind }) => kind === 'failed')) continue;
        const requested = own.findLast(({ kind }) => kind === 'requested')?.at ?? 0;
        const files = filesOf(versions.get(`${block.remote}@${version}`), block.exposed).flatMap(
          (url) => timingOf(url) ?? [],
        );
        const at = Math.max(...files.map(({ responseEnd }) => responseEnd), requested);
        const kilobytes = files.reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0) / 1000;
        const fromCache = files.every(({ responseEnd }) => responseEnd <= requested);
        if (files.length > 0) blocks.add(block, { kind: 'fetched', version, kilobytes, fromCache }, at);
        blocks.add(block, { kind: 'ready', version });
      }
    },
  });
}

interface FederationGlobal {
  __FEDERATION__?: { __GLOBAL_PLUGIN__?: ModuleFederationRuntimePlugin[] };
}

/** The runtime takes over a list of plugins that exists before it starts, as its developer tools use it. */
function addGlobalPlugin(plugin: ModuleFederationRuntimePlugin): void {
  const federation = ((globalThis as FederationGlobal).__FEDERATION__ ??= {});
  (federation.__GLOBAL_PLUGIN__ ??= []).push(plugin);
}

/** URLs of the files that show a component. */
function filesOf(version: RemoteVersion | undefined, exposed: string): readonly string[] {
  if (!version) return [];
  const { scripts = [], styles = [] } = version.exposes[exposed] ?? {};
  const urls = [version.entry, ...scripts, ...styles].map(({ url }) => new URL(url, location.origin).href);
  return [...new Set(urls)];
}

function timingOf(url: string): PerformanceResourceTiming | undefined {
  return performance.getEntriesByName(url, 'resource').at(-1) as PerformanceResourceTiming | undefined;
}

function watchAttributes(blocks: PageBlocks): void {
  const observer = new MutationObserver((records) => {
    for (const target of new Set(records.map((record) => record.target))) {
      const block = blocks.all.find(({ element }) => element === target);
      const version = block?.element.getAttribute(slotAttributes.version);
      if (!block || !version) continue;
      const isInPlace = version === block.prerendered && !block.steps.some(({ kind }) => kind === 'failed');
      blocks.add(block, { kind: isInPlace ? 'hydrated' : 'rendered', version });
    }
  });
  observer.observe(document, { attributeFilter: [slotAttributes.version], subtree: true });
}

function watchPartEvents(
  blocks: PageBlocks,
  versions: ReadonlyMap<string, RemoteVersion>,
  versionsToTry: (remote: PageBlock['remote']) => readonly string[],
): void {
  const failedFiles = watchFailedFiles();
  addEventListener(partEventName, (event) => {
    const { detail } = event as CustomEvent<PartEvent>;
    const { remote, version, exposed } = detail;
    for (const block of blocks.of(remote, exposed)) {
      if (detail.outcome === 'late') blocks.add(block, { kind: 'late', version });
      if (detail.outcome !== 'failed') continue;
      // An error outside of rendering concerns the blocks that run this version.
      if (exposed === undefined && !block.steps.some((step) => step.version === version)) continue;
      const { cause, error } = detail;
      const file = describeFailedFile(versions.get(`${remote}@${version}`), block.exposed, failedFiles);
      const message = (cause === 'load' ? file : undefined) ?? messageOf(error);
      blocks.add(block, { kind: 'failed', version, cause, message });
      if (cause === 'event' || cause === 'mismatch') continue;
      const order = versionsToTry(block.remote);
      // A version of a signed override is not in the list: the first one follows it.
      const to = order[order.indexOf(version) + 1];
      blocks.add(block, { kind: 'fell-back', version, to });
    }
  });
}

/** URLs of scripts and stylesheets that failed, and did not load since. */
function watchFailedFiles(): ReadonlySet<string> {
  const failed = new Set<string>();
  const urlOf = ({ target }: Event) =>
    target instanceof HTMLScriptElement ? target.src : target instanceof HTMLLinkElement ? target.href : '';
  addEventListener('error', (event) => failed.add(urlOf(event)), { capture: true });
  addEventListener('load', (event) => failed.delete(urlOf(event)), { capture: true });
  return failed;
}

/** Why a file of a version did not load. `undefined` if no file has failed. */
function describeFailedFile(
  version: RemoteVersion | undefined,
  exposed: string,
  failed: ReadonlySet<string>,
) {
  const url = filesOf(version, exposed).find((file) => failed.has(file));
  if (url === undefined) return undefined;
  const { pathname } = new URL(url);
  const { responseStatus = 0 } = timingOf(url) ?? {};
  if (responseStatus >= 400) return `${pathname} has status ${responseStatus}`;
  return `${pathname} was refused: the network failed, or its content has another hash than the release`;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
