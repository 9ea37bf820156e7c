/// <reference lib="dom" />
import { createElement, useEffect, useReducer, type ComponentType } from 'react';

/** A component that shows the newest version of another one, which a hot update replaces. */
export interface Remountable<Props extends object> {
  readonly Newest: ComponentType<Props>;
  /** Mounts the newest version in place of the one before. Its state is lost. */
  remount(): void;
  /**
   * Reloads the page if the component has failed and been unmounted. Call it after an update, which may have corrected the
   * error: the page does not try a failed version again.
   */
  reloadIfFailed(): void;
}

/**
 * For updates that Fast Refresh cannot apply: pages whose shell is built for production, and modules other than
 * components.
 *
 * @param newest returns the present export of the module
 */
export function createRemountable<Props extends object>(
  newest: () => ComponentType<Props>,
): Remountable<Props> {
  const mounted = new Set<() => void>();
  let wasRendered = false;
  return {
    Newest: function Newest(props) {
      wasRendered = true;
      const [count, remount] = useReducer((before: number) => before + 1, 0);
      useEffect(() => {
        mounted.add(remount);
        return () => void mounted.delete(remount);
      }, []);
      return createElement(newest(), { ...props, key: count });
    },
    remount: () => mounted.forEach((remount) => remount()),
    reloadIfFailed() {
      if (wasRendered && mounted.size === 0) location.reload();
    },
  };
}
