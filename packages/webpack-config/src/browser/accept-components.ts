/// <reference lib="dom" />
import { slotAttributes } from '@countersign/contracts/page-markup';

/** Name of the global with the Fast Refresh runtime of the page. The shell's development build provides it. */
export const refreshRuntimeGlobal = '_REFRESH_RUNTIME';

type Signature = <Type>(type: Type, ...details: readonly unknown[]) => Type | undefined;

/** What parts use of `react-refresh/runtime`. */
interface RefreshRuntime {
  register(type: unknown, id: string): void;
  createSignatureFunctionForTransform(): Signature;
  isLikelyComponentType(value: unknown): boolean;
  performReactRefresh(): unknown;
}

/** webpack's interface for hot updates of a module. */
interface Hot {
  /** What the module's previous instance left in `dispose`. */
  readonly data?: { isUpdate?: boolean };
  accept(): void;
  dispose(onDispose: (data: { isUpdate?: boolean }) => void): void;
}

/** The runtime, or `undefined` in a page whose shell is built for production. */
const runtime = (globalThis as { readonly [refreshRuntimeGlobal]?: RefreshRuntime })[refreshRuntimeGlobal];

/** Returns the function that registers the components of a module. `refresh-loader.ts` adds the calls of this file's functions. */
export function registerIn(moduleId: string): (type: unknown, name: string) => void {
  return (type, name) => runtime?.register(type, `${moduleId} ${name}`);
}

/** Returns the function that tells the runtime which hooks a component uses. */
export function signature(): Signature {
  return runtime?.createSignatureFunctionForTransform() ?? ((type) => type);
}

/**
 * Makes a module accept its own updates if it exports components only. Updates of other modules reach their importers.
 *
 * @param exported exports of the module
 */
export function acceptComponents(exported: object, hot: Hot | undefined): void {
  if (!runtime || !hot) return;
  const values: unknown[] = Object.values(exported);
  if (values.length === 0 || !values.every(runtime.isLikelyComponentType)) return;
  hot.dispose((data) => {
    data.isUpdate = true;
  });
  hot.accept();
  if (hot.data?.isUpdate) refreshSoon(runtime);
}

let isPlanned = false;

/**
 * Refreshes once all modules of an update have run. Reloads the page if a component has failed, because the page does not try a
 * failed version again.
 */
function refreshSoon({ performReactRefresh }: RefreshRuntime): void {
  if (isPlanned) return;
  isPlanned = true;
  setTimeout(() => {
    isPlanned = false;
    performReactRefresh();
    if (document.querySelector(`[${slotAttributes.state}="failed"]`)) location.reload();
  });
}
