// blind spot ('loading', return, aborted, 'load', 'render', stop, removeAttribute, restoreFormState, unmount, abort, resolve, onBefore, onFailure, hydrates, root.render, reportFailure): no step makes a version fail, renders in place of markup, or removes a slot, but the tests of fill-slot do.
import { fragmentIdPrefix } from '@countersign/contracts/fragment';
import type { SlotModule, SlotProps } from '@countersign/contracts/shell-api';
import { slotAttributes } from '@countersign/contracts/page-markup';
import type { FailureCause } from '@countersign/contracts/page-report';
import { useLayoutEffect, useSyncExternalStore, type ComponentType } from 'react';
import { createRoot, hydrateRoot, type Root, type RootOptions } from 'react-dom/client';
import type { LoadAttempt } from '../federation/remote-loader.ts';
import type { ShellApiStore } from '../page/shell-api-store.ts';
import { lateThreshold } from './part-event.ts';
import { isMarkupOfRelease, trackInput } from './prerendered-markup.ts';
import { replayQueuedClick } from './queued-clicks.ts';
import { restoreFormState } from './form-state.ts';
import { SlotBoundary } from './slot-boundary.tsx';
import type { Slot } from './slot.ts';

/** Why a version could not be loaded, or does not run any more. */
interface Failure {
  readonly cause: FailureCause;
  readonly error: unknown;
}

/**
 * Loads a version and runs it in a slot. The promise stays pending while the version works, and resolves with the cause when
 * it could not be loaded, or has failed and the markup is back. Files that are lost while the browser is offline are no failure,
 * because their requests are repeated. After the slot's disposal, the cause has no meaning.
 */
export async function runVersion(slot: Slot, attempt: LoadAttempt): Promise<FailureCause> {
  slot.enter('loading');
  const failure = await loadAndRun(slot, attempt);
  reportFailure(slot, attempt, failure);
  return failure.cause;
}

async function loadAndRun(slot: Slot, attempt: LoadAttempt): Promise<Failure> {
  let module: SlotModule;
  try {
    module = await load(slot, attempt);
  } catch (error) {
    return { cause: 'load', error };
  }
  if (slot.disposal.aborted) return { cause: 'load', error: undefined };
  return { cause: 'render', error: await runUntilItFails(slot, attempt, module) };
}

// blind spot (report, 'late', 'loaded', startedAt, clearTimeout): reports are for teams. Tests read them.
async function load(slot: Slot, { version, load: loadModule }: LoadAttempt): Promise<SlotModule> {
  const { remote, exposed, report } = slot;
  const startedAt = performance.now();
  const timer = setTimeout(() => report({ remote, exposed, version, outcome: 'late' }), lateThreshold);
  try {
    const module = await loadModule();
    report({ remote, exposed, version, outcome: 'loaded', milliseconds: performance.now() - startedAt });
    return module;
  } finally {
    clearTimeout(timer);
  }
}

/** Renders a version. When it has failed, puts the markup and the visitor's input back, and resolves with the error. */
async function runUntilItFails(slot: Slot, attempt: LoadAttempt, module: SlotModule): Promise<unknown> {
  const { element, markup, disposal } = slot;
  const input = trackInput(element);
  const onShown = () => {
    input.stop();
    element.setAttribute(slotAttributes.version, attempt.version);
    element.removeAttribute(slotAttributes.plain);
    restoreFormState(element, input.latest);
    replayQueuedClick(element);
  };
  slot.enter('running');
  let root: Root | undefined;
  const dispose = () => unmount(root);
  disposal.addEventListener('abort', dispose);
  const error = await new Promise<unknown>((onFailure) => {
    root = render(slot, attempt, module, { onShown, onBeforeRemoval: input.update, onFailure });
    // Rendering may also throw at once, for example if a script has damaged the slot.
  }).catch((thrown: unknown) => thrown);
  input.stop();
  // React may still be committing when it reports an error.
  await Promise.resolve();
  // blind spot: no step makes a version fail, but the tests of fill-slot do.
  if (!disposal.aborted) {
    disposal.removeEventListener('abort', dispose);
    unmount(root);
    markup.restore(input.latest);
  }
  return error;
}

interface RenderingCallbacks {
  /** The version is in the DOM. */
  onShown(): void;
  /** A version that was shown has failed. Its content is still in the DOM. */
  onBeforeRemoval(): void;
  onFailure(error: unknown): void;
}

/** Hydrates the markup if it belongs to the version; otherwise renders in place of it. */
function render(
  slot: Slot,
  attempt: LoadAttempt,
  { default: Component }: SlotModule,
  { onShown, onBeforeRemoval, onFailure }: RenderingCallbacks,
): Root {
  const { element, remote, exposed, shell } = slot;
  const hydrates = attempt.version === element.getAttribute(slotAttributes.prerendered);
  const markupBefore = element.innerHTML;
  const tree = (
    <SlotBoundary onBeforeRemoval={onBeforeRemoval} onFailure={onFailure}>
      <SlotContent Component={Component} shell={shell} onShown={onShown} />
    </SlotBoundary>
  );
  const options: RootOptions = {
    identifierPrefix: fragmentIdPrefix(remote, exposed),
    // The error boundary has reported it already.
    onCaughtError: () => undefined,
    onUncaughtError: onFailure,
    // React has rendered again, with success. The cause is not `render`, after which another version replaces this one. In hydration,
    // it is a mismatch, which the visitor's tools may have caused.
    // blind spot: no part has a mismatch, but a test of fill-slot does.
    onRecoverableError: (error: unknown) => {
      const cause = hydrates ? 'mismatch' : 'event';
      if (!hydrates || isMarkupOfRelease(element, markupBefore))
        reportFailure(slot, attempt, { cause, error });
    },
  };
  if (hydrates) return hydrateRoot(element, tree, options);
  const root = createRoot(element, options);
  root.render(tree);
  return root;
}

interface SlotContentProps {
  readonly Component: ComponentType<SlotProps>;
  readonly shell: ShellApiStore;
  /** Called in a layout effect after the component is in the DOM, before the browser paints. */
  readonly onShown: () => void;
}

/** Renders one version. The first rendering uses the prerendered values, and adds no element, because the markup must match. */
function SlotContent({ Component, shell, onShown }: SlotContentProps) {
  const current = useSyncExternalStore(shell.subscribe, shell.get, shell.getPrerendered);
  // A parent's effects run after those of its children, so form libraries have registered their fields by then.
  useLayoutEffect(onShown, [onShown]);
  return <Component shell={current} />;
}

// blind spot: no step makes a version fail, but the tests of fill-slot do.
function unmount(root: Root | undefined): void {
  try {
    root?.unmount();
  } catch {
    // A part may have removed elements that React manages. The markup is replaced as a whole afterwards.
  }
}

// blind spot: no step makes a version fail, but the tests of fill-slot do.
function reportFailure(slot: Slot, { version }: LoadAttempt, { cause, error }: Failure): void {
  const { remote, exposed, report, disposal } = slot;
  if (!disposal.aborted) report({ remote, exposed, version, outcome: 'failed', cause, error });
}
