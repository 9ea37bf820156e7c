import { createRequire } from 'node:module';
import { text } from 'node:stream/consumers';
import { parentPort, workerData } from 'node:worker_threads';
import { fragmentIdPrefix, fragmentPlaceholders } from '@countersign/contracts/fragment';
import type { RemoteName } from '@countersign/contracts/remotes';
import type { SlotModule } from '@countersign/contracts/shell-api';
import { createShellStub } from '@countersign/contracts/testing/shell-stub';
import type * as React from 'react';
import type * as ReactDomStatic from 'react-dom/static';

declare global {
  /** Whether a mutant is on. Only code of a build with mutants asks. */
  var isMutant: ((id: string) => boolean) | undefined;
}

/** Input of the worker. */
export interface RenderJob {
  /** Absolute path of the CommonJS bundle: exposed key → module. */
  readonly bundle: string;
  /** Absolute path of the remote's folder. React is resolved from it. */
  readonly root: string;
  readonly remote: RemoteName;
}

const { bundle, root, remote } = workerData as RenderJob;
const require = createRequire(`${root}/`);
const { createElement } = require('react') as typeof React;
const { prerenderToNodeStream } = require('react-dom/static') as typeof ReactDomStatic;

/** For a visitor without a stored theme. The functions throw, because rendering must not call them. */
const shell = createShellStub(
  (method) => () => {
    throw new Error(
      `shell.${method}() was called while rendering. Call it in an effect or an event handler.`,
    );
  },
  { page: { releaseId: 'r-000000000000', ...fragmentPlaceholders } },
);

async function renderAll(): Promise<Readonly<Record<string, string>>> {
  const modules = loadBundle();
  const fragments: Record<string, string> = {};
  for (const [exposed, module] of Object.entries(modules)) {
    const errors: unknown[] = [];
    try {
      const { prelude } = await prerenderToNodeStream(createElement(module.default, { shell }), {
        identifierPrefix: fragmentIdPrefix(remote, exposed),
        // Without it, React streams large content with inline scripts, which the content security policy blocks.
        progressiveChunkSize: Number.POSITIVE_INFINITY,
        // Also called for errors that an error boundary catches, which would leave its fallback in the markup.
        onError: (error) => void errors.push(error),
      });
      // React puts preload links of images first, which need no link, because the parser finds them in the same markup.
      fragments[exposed] = (await text(prelude)).replace(/^(<link rel="preload" as="image"[^>]*>)+/, '');
      if (errors.length > 0) throw errors[0];
    } catch (cause) {
      throw new Error(`${exposed} does not render without a browser: ${String(cause)}`, { cause });
    }
  }
  return fragments;
}

function loadBundle(): Readonly<Record<string, SlotModule>> {
  try {
    return require(bundle) as Readonly<Record<string, SlotModule>>;
  } catch (cause) {
    throw new Error(`${remote} does not load without a browser: ${String(cause)}`, { cause });
  }
}

/** Sets the clock of this thread two years ahead. */
function setClockAhead(): void {
  const later = Date.now() + 2 * 366 * 24 * 60 * 60 * 1_000;
  globalThis.Date = new Proxy(Date, {
    construct: (target, given: unknown[], newTarget) =>
      Reflect.construct(target, given.length === 0 ? [later] : given, newTarget) as object,
    get: (target, key): unknown => (key === 'now' ? () => later : Reflect.get(target, key)),
  });
}

const fragments = await renderAll();
setClockAhead();
Reflect.deleteProperty(require.cache, bundle);
const renderedLater = await renderAll();
for (const [exposed, markup] of Object.entries(fragments)) {
  const later = renderedLater[exposed] ?? '';
  if (later === markup) continue;
  const from = [...markup].findIndex((character, index) => character !== later[index]);
  const [now, then] = [markup, later].map((each) => each.slice(Math.max(0, from - 30), from + 10));
  throw new Error(
    `${exposed} renders the time of its build, or something random: "${now}" now, "${then}" two years later. Visitors see it until the next build. Render a constant, or set it in an effect.`,
  );
}
parentPort?.postMessage(fragments);

// In a build with mutants: renders again with some of them. An error ends this thread.
parentPort?.on('message', (mutants: readonly string[]) => {
  globalThis.isMutant = (id) => mutants.includes(id);
  Reflect.deleteProperty(require.cache, bundle);
  void renderAll().then((rendered) => parentPort?.postMessage(rendered));
});
