import type { SharedModuleName } from '@countersign/contracts/part-manifest';
import * as React from 'react';
import * as jsxRuntime from 'react/jsx-runtime';
import * as ReactDOM from 'react-dom';

/**
 * Modules of which the page has one copy. Provided at run time, because the federation plugin would make the shell's own
 * imports wait for a lookup in the share scope as well.
 */
export const modulesToShare = {
  react: shared(React.version, React),
  'react-dom': shared(ReactDOM.version, ReactDOM),
  'react/jsx-runtime': shared(React.version, jsxRuntime),
} satisfies Record<SharedModuleName, ReturnType<typeof shared>>;

function shared(version: string, module: unknown) {
  return {
    version,
    get: () => () => module,
    shareConfig: { singleton: true, eager: true, requiredVersion: `^${version}` },
  };
}
