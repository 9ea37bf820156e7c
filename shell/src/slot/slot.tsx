import type { ShellApi, SlotProps } from '@countersign/contracts/shell-api';
import type { FailureCause } from '@countersign/contracts/telemetry';
import { Suspense, useCallback, useMemo, useRef, type ComponentType, type ReactNode } from 'react';
import type { RemoteLoader } from '../federation/remote-loader.ts';
import { heightOfContent } from './height-of-content.ts';
import { reportToConsole, type ReportPart } from './part-event.ts';
import type { SlotDefinition } from './slot-definition.ts';
import { SlotBoundary } from './slot-boundary.tsx';
import styles from './slot.module.css';
import { useSlotShell } from './use-slot-shell.ts';
import { useSlotVersion } from './use-slot-version.ts';
import { Waiting } from './waiting.tsx';

interface SlotComponentProps {
  readonly definition: SlotDefinition;
  readonly loader: RemoteLoader;
  readonly shell: ShellApi;
  /** Is told what becomes of each version that the slot tries. */
  readonly report?: ReportPart;
}

/**
 * A place of the page that a remote fills. Whatever becomes of the remote, the place is filled: with the live
 * version, else the previous one, else the fallback. `data-remote` and `data-version` say whose work is shown.
 *
 * Slots of one remote decide apart. A version that fails in one slot may be sound in the others, and what a visitor has
 * begun there must not be lost; so two versions of a remote can be on one page. They share nothing: every version has
 * globals and class names of its own.
 */
export function Slot({ definition, loader, shell, report = reportToConsole }: SlotComponentProps) {
  const { remote, exposed, Fallback } = definition;
  const element = useRef<HTMLDivElement>(null);
  const heightBefore = useRef(0);
  const events = useMemo(
    () => ({
      onLoaded: (version: string, milliseconds: number) =>
        report({ remote, exposed, version, outcome: 'loaded', milliseconds }),
      onFailed: (version: string, cause: FailureCause, error: unknown) =>
        report({ remote, exposed, version, outcome: 'failed', cause, error }),
      onWrongCall: (version: string, error: unknown) =>
        report({ remote, exposed, version, outcome: 'failed', cause: 'event', error }),
    }),
    [remote, exposed, report],
  );
  const [state, giveUp] = useSlotVersion(loader.candidates(remote, exposed), events);

  if (state.status === 'failed' || (state.status === 'loading' && state.late)) {
    return (
      <div data-remote={remote} data-version="fallback" className={styles.slot}>
        <Fallback shell={shell} />
      </div>
    );
  }
  if (state.status === 'loading') {
    return (
      <div data-remote={remote} aria-busy="true" className={styles.slot}>
        <Waiting heightOf={heightBefore} />
      </div>
    );
  }
  return (
    <div ref={element} data-remote={remote} data-version={state.version} className={styles.slot}>
      <SlotBoundary
        key={state.version}
        measure={() => heightOfContent(element.current)}
        onFailure={(error, height) => {
          heightBefore.current = height;
          giveUp('render', error);
        }}
      >
        <SlotContent
          Component={state.Component}
          version={state.version}
          shell={shell}
          waiting={<Waiting heightOf={heightBefore} onTimeUp={(error) => giveUp('timeout', error)} />}
          onWrongCall={events.onWrongCall}
        />
      </SlotBoundary>
    </div>
  );
}

interface SlotContentProps extends SlotProps {
  readonly Component: ComponentType<SlotProps>;
  readonly version: string;
  /** Shown while the part waits for something of its own. */
  readonly waiting: ReactNode;
  onWrongCall(version: string, error: unknown): void;
}

/** One version of the part, with services of its own. */
function SlotContent({ Component, version, shell, waiting, onWrongCall }: SlotContentProps) {
  const report = useCallback((error: unknown) => onWrongCall(version, error), [version, onWrongCall]);
  const own = useSlotShell(shell, report);
  return (
    <Suspense fallback={waiting}>
      <Component shell={own} />
    </Suspense>
  );
}
