import type { ShellApi } from '@countersign/contracts/shell-api';
import { useCallback } from 'react';
import type { RemoteLoader } from '../federation/remote-loader.ts';
import type { SlotDefinition } from './slot-definition.ts';
import { SlotBoundary } from './slot-boundary.tsx';
import { useSlotVersion } from './use-slot-version.ts';
import styles from './slot.module.css';

interface SlotComponentProps {
  readonly definition: SlotDefinition;
  readonly loader: RemoteLoader;
  readonly shell: ShellApi;
}

/**
 * A place of the page that a remote fills. Whatever becomes of the remote, the place is filled: with the live
 * version, else the previous one, else the fallback. `data-remote` and `data-version` say whose work is shown.
 */
export function Slot({ definition, loader, shell }: SlotComponentProps) {
  const { remote, exposed, Fallback } = definition;
  const report = useCallback(
    (version: string, error: unknown) => console.error(`${remote}@${version} ${exposed} failed.`, error),
    [remote, exposed],
  );
  const [state, fail] = useSlotVersion(loader.candidates(remote, exposed), report);

  if (state.status === 'loading') {
    return <div data-remote={remote} aria-busy="true" className={styles.loading} />;
  }
  if (state.status === 'failed') {
    return (
      <div data-remote={remote} data-version="fallback" className={styles.slot}>
        <Fallback shell={shell} />
      </div>
    );
  }
  return (
    <div data-remote={remote} data-version={state.version} className={styles.slot}>
      <SlotBoundary key={state.version} onFailure={fail}>
        <state.Component shell={shell} />
      </SlotBoundary>
    </div>
  );
}
