import type { LoaderDefinition, RuleSetUseItem } from 'webpack';
import { sourceFile } from './source-file.ts';

interface RefreshOptions {
  /** Name of the build. Part of component ids, which are unique in a page. */
  readonly uniqueName: string;
}

/** The loader for a rule of webpack. Runs after the TypeScript transformer has marked the components of each module. */
export function refreshLoader(uniqueName: string): RuleSetUseItem {
  return { loader: import.meta.filename, options: { uniqueName } satisfies RefreshOptions };
}

const helpers = JSON.stringify(sourceFile('browser/accept-components'));

/**
 * Connects a module with the page's Fast Refresh runtime: registers its components, and makes a module that exports
 * components only accept its own updates.
 */
const connectToRefresh: LoaderDefinition<RefreshOptions> = function connectToRefresh(source, sourceMap) {
  // No component is marked, as in the helpers themselves.
  if (!/\$Refresh(Reg|Sig)\$/.test(source)) {
    this.callback(null, source, sourceMap);
    return;
  }
  const { uniqueName } = this.getOptions();
  const id = `${JSON.stringify(`${uniqueName} `)} + __webpack_module__.id`;
  // In one line, so that line numbers stay as they are.
  const head = `import * as $refresh from ${helpers}; const $RefreshReg$ = $refresh.registerIn(${id}); const $RefreshSig$ = $refresh.signature;`;
  const foot = `$refresh.acceptComponents(__webpack_module__.exports, import.meta.webpackHot);`;
  this.callback(null, `${head}${source}\n${foot}\n`, sourceMap);
};

export default connectToRefresh;
