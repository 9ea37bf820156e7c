import { createRequire } from 'node:module';
import { text } from 'node:stream/consumers';
import { parentPort, workerData } from 'node:worker_threads';
import { fragmentIdPrefix, fragmentPlaceholders } from '@countersign/contracts/fragment';
import type { RemoteName } from '@countersign/contracts/remotes';
import type { ShellApi, SlotModule } from '@countersign/contracts/shell-api';
import type * as React from 'react';
import type * as ReactDomStatic from 'react-dom/static';

/** What the worker renders. */
export interface RenderOrder {
  /** Absolute path of the CommonJS bundle: exposed key → module. */
  readonly bundle: string;
  /** Absolute path of the remote's folder: its React renders. */
  readonly root: string;
  readonly remote: RemoteName;
}

const { bundle, root, remote } = workerData as RenderOrder;
const require = createRequire(`${root}/`);
const { createElement } = require('react') as typeof React;
const { prerenderToNodeStream } = require('react-dom/static') as typeof ReactDomStatic;

/** Exists only in a browser. */
function refuse(method: string): () => never {
  return () => {
    throw new Error(
      `shell.${method}() was called while rendering. Call it in an effect or an event handler.`,
    );
  };
}

/** The page as it is before any script has run: no visitor, no stored choice. */
const shell: ShellApi = {
  page: { releaseId: 'r-000000000000', appHost: fragmentPlaceholders.appHost },
  theme: { preference: 'system', setPreference: refuse('theme.setPreference') },
  notify: refuse('notify'),
  signIn: refuse('signIn'),
  scrollToSection: refuse('scrollToSection'),
};

const modules = require(bundle) as Readonly<Record<string, SlotModule>>;
const fragments: Record<string, string> = {};
for (const [exposed, module] of Object.entries(modules)) {
  const errors: unknown[] = [];
  try {
    const { prelude } = await prerenderToNodeStream(createElement(module.default, { shell }), {
      identifierPrefix: fragmentIdPrefix(remote, exposed),
      // Content that waits would otherwise arrive through inline scripts, which the page refuses.
      progressiveChunkSize: Number.POSITIVE_INFINITY,
      // Also called for errors that a boundary catches, which would leave its fallback in the markup.
      onError: (error) => void errors.push(error),
    });
    fragments[exposed] = await text(prelude);
    if (errors.length > 0) throw errors[0];
  } catch (cause) {
    throw new Error(`${exposed} does not render without a browser: ${String(cause)}`, { cause });
  }
}
parentPort?.postMessage(fragments);
