import type { SharedModuleName } from '@countersign/contracts/part-manifest';
import type { ModuleFederation } from '@module-federation/enhanced/runtime';
import React from 'react';
import jsxRuntime from 'react/jsx-runtime';
import ReactDOM from 'react-dom';

type ShareScope = Parameters<ModuleFederation['initShareScopeMap']>[1];

/**
 * Modules of which the page has one copy: name → version → module, as federation containers read it. The shell writes the
 * scope itself, because it is the only provider, so there is nothing to negotiate: its build leaves the runtime's code for
 * that out. Containers still refuse a version that they do not accept.
 */
export const shareScope: ShareScope = {
  react: provided(React.version, React),
  'react-dom': provided(ReactDOM.version, ReactDOM),
  'react/jsx-runtime': provided(React.version, jsxRuntime),
} satisfies Record<SharedModuleName, ShareScope[string]>;

function provided(version: string, module: unknown): ShareScope[string] {
  return {
    [version]: {
      version,
      from: 'shell',
      get: () => () => module,
      lib: () => module,
      loaded: true,
      eager: true,
      shareConfig: { singleton: true, eager: true, requiredVersion: `^${version}` },
      scope: ['default'],
      useIn: [],
      deps: [],
      strategy: 'loaded-first',
    },
  };
}
