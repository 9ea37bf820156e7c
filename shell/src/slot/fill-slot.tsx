import { fragmentIdPrefix } from '@countersign/contracts/fragment';
import type { RemoteName } from '@countersign/contracts/remotes';
import { loadFailureNotice, type SlotModule } from '@countersign/contracts/shell-api';
import { markupHash, slotAttributes } from '@countersign/contracts/slot-markup';
import type { FailureCause } from '@countersign/contracts/telemetry';
import { createRoot, hydrateRoot, type Root } from 'react-dom/client';
import type { LoadAttempt, RemoteLoader } from '../federation/remote-loader.ts';
import { laidOutAttribute } from '../page/element-ids.ts';
import type { ShellApiStore } from '../page/shell-api-store.ts';
import { forgetClicks, queuedClicksIn, replayQueuedClick } from './queued-clicks.ts';
import { lateThreshold, type ReportPart } from './part-event.ts';
import { SlotBoundary } from './slot-boundary.tsx';
import { SlotContent } from './slot-content.tsx';
import { captureFormState, restoreFormState, type FormState } from './form-state.ts';
import { hydrationTrigger } from './hydration-trigger.ts';

/** How long after the first round of attempts one more starts without the visitor, in milliseconds. */
const automaticRoundDelay = 10_000;

/** The slot element and the component that fills it. */
export interface SlotTarget {
  /** Contains the prerendered markup of the component, if the release has any. */
  readonly element: Element;
  readonly remote: RemoteName;
  readonly exposed: string;
}

/** Dependencies of a slot. */
export interface SlotServices {
  readonly loader: RemoteLoader;
  readonly shell: ShellApiStore;
  /** Called with the outcome of each version that the slot tries. */
  readonly report: ReportPart;
}

/**
 * Loads and hydrates a slot when its hydration trigger fires. If the prerendered markup belongs to another
 * version, the version renders in its place. If a version fails, the next one takes over; after the last, the
 * slot shows its plain markup with the visitor's input. Versions that could not be loaded are tried again after some
 * time, at each click in the slot, and when the browser is online again.
 *
 * Each slot decides independently, so a page can run two versions of a remote. A version that fails in one slot
 * may work in others, and replacing it there would lose the visitor's input. Versions share no globals and no
 * class names.
 *
 * @returns disposes of the slot
 */
export function fillSlot({ element, remote, exposed }: SlotTarget, services: SlotServices): () => void {
  const { loader, shell, report } = services;
  const prerendered = element.getAttribute(slotAttributes.prerendered);
  /** Copy of the prerendered markup, made when the slot starts. */
  let markup: readonly Node[] = [];
  /** Whether the slot contains the unchanged prerendered markup. */
  let holdsMarkup = true;
  let root: Root | undefined;
  let isDisposed = false;

  async function fill(): Promise<void> {
    let attempts = loader.attempts(remote, exposed);
    const [first] = attempts;
    if (!first) {
      becomePlain();
      return;
    }
    // The browser is seldom idle before all slots with the timing `load` are hydrated; the network is.
    if (first.hydration === 'idle') first.preload();
    await hydrationTrigger(first.hydration, element);
    markup = [...element.childNodes].map((node) => node.cloneNode(true));
    let timers: readonly Promise<'timer'>[] | undefined;
    for (let round = 1; attempts.length > 0; round += 1) {
      const unavailable: LoadAttempt[] = [];
      for (const attempt of attempts) {
        if ((await show(attempt)) === 'load') unavailable.push(attempt);
        if (isDisposed) return;
      }
      attempts = unavailable;
      answerQueuedClicks();
      if (round > 1 || attempts.length === 0) becomePlain();
      // A round that the visitor starts does not replace the automatic one.
      timers ??= [delay(automaticRoundDelay)];
      const waiting = new AbortController();
      const { signal } = waiting;
      const reason = await Promise.race([online(signal), clickIn(element, signal), ...timers]);
      waiting.abort();
      if (reason === 'timer') timers = [];
      if (isDisposed) return;
    }
  }

  /** Tells the visitor that a click had no effect. It is not replayed, because the visitor may have moved on. */
  function answerQueuedClicks(): void {
    const clicks = queuedClicksIn(element);
    if (clicks.length === 0) return;
    forgetClicks(clicks);
    shell.get().notify(loadFailureNotice);
  }

  function becomePlain(): void {
    element.setAttribute(slotAttributes.plain, '');
  }

  /** Renders a version until it fails. A failure while the browser is offline is retried when it is online. */
  async function show(attempt: LoadAttempt): Promise<FailureCause> {
    for (;;) {
      let cause: FailureCause = 'load';
      try {
        const module = await load(attempt);
        if (isDisposed) return cause;
        cause = 'render';
        throw await renderUntilFailure(attempt, module);
      } catch (error) {
        if (navigator.onLine || isDisposed) {
          fail(attempt, cause, error);
          return cause;
        }
        await online();
      }
    }
  }

  function fail({ version }: LoadAttempt, cause: FailureCause, error: unknown): void {
    if (!isDisposed) report({ remote, exposed, version, outcome: 'failed', cause, error });
  }

  async function load({ version, load: loadModule }: LoadAttempt): Promise<SlotModule> {
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

  /** Renders a version. Resolves with the error after it has failed and the markup is restored. */
  async function renderUntilFailure(attempt: LoadAttempt, module: SlotModule): Promise<unknown> {
    let formState = captureFormState(element);
    const updateFormState = () => (formState = captureFormState(element));
    // Tracks input until hydration has finished, because hydration is asynchronous. A click or key press makes
    // React hydrate synchronously, in a listener that must run after this one.
    const changeEvents = ['click', 'input'] as const;
    for (const eventType of changeEvents)
      element.addEventListener(eventType, updateFormState, { capture: true });
    const stopTracking = () => {
      for (const eventType of changeEvents)
        element.removeEventListener(eventType, updateFormState, { capture: true });
    };

    const error = await new Promise<unknown>((onFailure) => {
      const onShown = () => {
        stopTracking();
        element.setAttribute(slotAttributes.version, attempt.version);
        element.removeAttribute(slotAttributes.plain);
        restoreFormState(element, formState);
        replayQueuedClick(element, queuedClicksIn(element));
      };
      root = render(attempt, module, {
        onShown,
        onBeforeRemoval: updateFormState,
        onFailure,
      });
    });
    stopTracking();
    // React may still be committing when it reports an error.
    await Promise.resolve();
    if (!isDisposed) restoreMarkup(formState);
    return error;
  }

  interface Rendering {
    onShown(): void;
    onBeforeRemoval(): void;
    onFailure(error: unknown): void;
  }

  function render(attempt: LoadAttempt, { default: Component }: SlotModule, rendering: Rendering): Root {
    const { version } = attempt;
    const reportEvent = (error: unknown) => fail(attempt, 'event', error);
    const inPlace = holdsMarkup && version === prerendered;
    holdsMarkup = false;
    const hydrated = element.innerHTML;
    const tree = (
      <SlotBoundary onBeforeRemoval={rendering.onBeforeRemoval} onFailure={rendering.onFailure}>
        <SlotContent
          Component={Component}
          shell={shell}
          onShown={rendering.onShown}
          onInvalidCall={reportEvent}
        />
      </SlotBoundary>
    );
    const options = {
      identifierPrefix: fragmentIdPrefix(remote, exposed),
      // The error boundary has reported it already.
      onCaughtError: () => undefined,
      onUncaughtError: rendering.onFailure,
      // Hydration mismatch: React has rendered the component on the client. Visitors' tools change markup as well.
      onRecoverableError: (error: unknown) => {
        if (!inPlace) reportEvent(error);
        else if (isMarkupOfRelease(element, hydrated)) fail(attempt, 'mismatch', error);
      },
    };
    if (inPlace) return hydrateRoot(element, tree, options);
    forgetHeight();
    const created = createRoot(element, options);
    created.render(tree);
    return created;
  }

  function restoreMarkup(formState: FormState): void {
    unmount();
    element.removeAttribute(slotAttributes.version);
    forgetHeight();
    element.replaceChildren(...markup.map((node) => node.cloneNode(true)));
    holdsMarkup = true;
    restoreFormState(element, formState);
  }

  /** Lays out new content wherever the window is, because the browser does not know its height. */
  function forgetHeight(): void {
    element.removeAttribute(laidOutAttribute);
  }

  function unmount(): void {
    try {
      root?.unmount();
    } catch {
      // A part may have removed elements that React manages. The markup is replaced as a whole afterwards.
    }
    root = undefined;
  }

  void fill();
  return () => {
    isDisposed = true;
    unmount();
  };
}

/** Whether a slot's markup was unchanged when its hydration began, and nothing translates the page. */
function isMarkupOfRelease(element: Element, hydrated: string): boolean {
  return (
    markupHash(hydrated) === element.getAttribute(slotAttributes.markupHash) &&
    !/\btranslated-(ltr|rtl)\b/.test(document.documentElement.className)
  );
}

function online(signal?: AbortSignal): Promise<void> {
  const options = { once: true, ...(signal && { signal }) };
  return new Promise((resolve) => addEventListener('online', () => resolve(), options));
}

function clickIn(element: Element, signal: AbortSignal): Promise<void> {
  const options = { capture: true, once: true, signal };
  return new Promise((resolve) => element.addEventListener('click', () => resolve(), options));
}

function delay(milliseconds: number): Promise<'timer'> {
  return new Promise((resolve) => setTimeout(() => resolve('timer'), milliseconds));
}
