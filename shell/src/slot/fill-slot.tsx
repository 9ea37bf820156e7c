import { fragmentIdPrefix } from '@countersign/contracts/fragment';
import type { RemoteName } from '@countersign/contracts/remotes';
import type { SlotModule } from '@countersign/contracts/shell-api';
import { slotAttributes } from '@countersign/contracts/slot-markup';
import type { FailureCause } from '@countersign/contracts/telemetry';
import { createRoot, hydrateRoot, type Root } from 'react-dom/client';
import type { Candidate, RemoteLoader } from '../federation/remote-loader.ts';
import type { ShellApiStore } from '../page/shell-api-store.ts';
import { earlyPressesIn, replayEarlyPress } from './early-presses.ts';
import type { ReportPart } from './part-event.ts';
import { SlotBoundary } from './slot-boundary.tsx';
import { SlotContent } from './slot-content.tsx';
import { recordInput, restoreInput, type VisitorInput } from './visitor-input.ts';
import { whenNeeded } from './when-needed.ts';

/** How long a version may load before it counts as late, in milliseconds. It is awaited all the same. */
export const lateAfter = 5000;

/** A place of the page for one component of a remote. */
export interface SlotPlace {
  /** Holds the markup of the component, if the release has any. */
  readonly element: Element;
  readonly remote: RemoteName;
  readonly exposed: string;
}

/** What a slot needs of the page. */
export interface SlotServices {
  readonly loader: RemoteLoader;
  readonly shell: ShellApiStore;
  /** Is told what becomes of each version that the slot tries. */
  readonly report: ReportPart;
}

/**
 * Brings a slot to life when its code is needed: the live version hydrates the markup that stands there, or takes its place
 * if the markup is another version's. Where it fails, the previous version takes over; after the last, the markup stands as
 * plain HTML, with what the visitor has typed. A version that is late is awaited, and nothing is taken away meanwhile.
 *
 * Slots of one remote decide apart. A version that fails in one slot may be sound in the others, and what a visitor has
 * begun there must not be lost; so two versions of a remote can be on one page. They share nothing: every version has
 * globals and class names of its own.
 *
 * @returns ends the slot: what it holds is removed
 */
export function fillSlot({ element, remote, exposed }: SlotPlace, services: SlotServices): () => void {
  const { loader, shell, report } = services;
  const prerendered = element.getAttribute(slotAttributes.prerendered);
  const markup = [...element.childNodes].map((node) => node.cloneNode(true));
  /** Whether the markup stands in the slot as the build has made it. */
  let holdsMarkup = true;
  let root: Root | undefined;
  let ended = false;

  async function fill(): Promise<void> {
    let candidates = loader.candidates(remote, exposed);
    const [first] = candidates;
    if (!first) return;
    await whenNeeded(first.hydration, element);
    while (candidates.length > 0 && !ended) {
      const unavailable: Candidate[] = [];
      for (const candidate of candidates) {
        if (ended) return;
        if ((await show(candidate)) === 'load') unavailable.push(candidate);
      }
      candidates = unavailable;
      await online();
    }
  }

  /** Shows a version until it fails. What fails while the browser is offline is shown again when it is online. */
  async function show(candidate: Candidate): Promise<FailureCause> {
    for (;;) {
      let cause: FailureCause = 'load';
      try {
        const module = await load(candidate);
        if (ended) return cause;
        cause = 'render';
        throw await failureOf(candidate, module);
      } catch (error) {
        if (navigator.onLine || ended) {
          fail(candidate, cause, error);
          return cause;
        }
        await online();
      }
    }
  }

  function fail({ version }: Candidate, cause: FailureCause, error: unknown): void {
    if (!ended) report({ remote, exposed, version, outcome: 'failed', cause, error });
  }

  async function load({ version, load: loadModule }: Candidate): Promise<SlotModule> {
    const asked = performance.now();
    const timer = setTimeout(() => report({ remote, exposed, version, outcome: 'late' }), lateAfter);
    try {
      const module = await loadModule();
      report({ remote, exposed, version, outcome: 'loaded', milliseconds: performance.now() - asked });
      return module;
    } finally {
      clearTimeout(timer);
    }
  }

  /** Renders a version. Resolves when it has failed and the markup stands in the slot again. */
  async function failureOf(candidate: Candidate, module: SlotModule): Promise<unknown> {
    let input = recordInput(element);
    const rememberInput = () => (input = recordInput(element));
    // React takes its time, and the visitor goes on typing. A click or a letter makes React hydrate at once, in a listener of its
    // own that must come after this one.
    const changes = ['click', 'input'] as const;
    for (const change of changes) element.addEventListener(change, rememberInput, { capture: true });
    const stopRemembering = () => {
      for (const change of changes) element.removeEventListener(change, rememberInput, { capture: true });
    };

    const error = await new Promise<unknown>((onFailure) => {
      const onShown = () => {
        stopRemembering();
        element.setAttribute(slotAttributes.version, candidate.version);
        restoreInput(element, input);
        replayEarlyPress(element, earlyPressesIn(element));
      };
      root = render(candidate, module, {
        onShown,
        onBeforeRemoval: rememberInput,
        onFailure,
      });
    });
    stopRemembering();
    // React still works on the tree when it reports an error.
    await Promise.resolve();
    if (!ended) restoreMarkup(input);
    return error;
  }

  interface Rendering {
    onShown(): void;
    onBeforeRemoval(): void;
    onFailure(error: unknown): void;
  }

  function render(candidate: Candidate, { default: Component }: SlotModule, rendering: Rendering): Root {
    const { version } = candidate;
    const reportEvent = (error: unknown) => fail(candidate, 'event', error);
    const tree = (
      <SlotBoundary onBeforeRemoval={rendering.onBeforeRemoval} onFailure={rendering.onFailure}>
        <SlotContent
          Component={Component}
          shell={shell}
          onShown={rendering.onShown}
          onWrongCall={reportEvent}
        />
      </SlotBoundary>
    );
    const options = {
      identifierPrefix: fragmentIdPrefix(remote, exposed),
      // The boundary has told of it.
      onCaughtError: () => undefined,
      onUncaughtError: rendering.onFailure,
      // The code did not fit its markup: React has rendered the part again.
      onRecoverableError: reportEvent,
    };
    const inPlace = holdsMarkup && version === prerendered;
    holdsMarkup = false;
    if (inPlace) return hydrateRoot(element, tree, options);
    const created = createRoot(element, options);
    created.render(tree);
    return created;
  }

  function restoreMarkup(input: VisitorInput): void {
    unmount();
    element.removeAttribute(slotAttributes.version);
    element.replaceChildren(...markup.map((node) => node.cloneNode(true)));
    holdsMarkup = true;
    restoreInput(element, input);
  }

  function unmount(): void {
    try {
      root?.unmount();
    } catch {
      // A part has changed elements that React wanted to remove: they go with all others.
    }
    root = undefined;
  }

  void fill();
  return () => {
    ended = true;
    unmount();
  };
}

function online(): Promise<void> {
  return new Promise((resolve) => addEventListener('online', () => resolve(), { once: true }));
}
