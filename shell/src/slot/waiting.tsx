import { useEffect, useEffectEvent, type RefObject } from 'react';
import styles from './slot.module.css';
import { timeToWait } from './use-slot-version.ts';
import { TimeLimitError } from './with-time-limit.ts';

interface WaitingProps {
  /** Height of what stood here before, in pixels: the page must not move under the visitor. */
  readonly heightOf: RefObject<number>;
  /** Is called once the slot has waited long enough. */
  onTimeUp?(error: TimeLimitError): void;
}

/** Keeps the place of a part that is on its way, or that waits for something of its own. */
export function Waiting({ heightOf, onTimeUp }: WaitingProps) {
  const timeUp = useEffectEvent((limit: number) => onTimeUp?.(new TimeLimitError(limit)));
  useEffect(() => {
    const limit = timeToWait();
    const timer = setTimeout(() => timeUp(limit), limit);
    return () => clearTimeout(timer);
  }, []);
  const minHeight = heightOf.current || undefined;
  return <div className={styles.waiting} style={{ minHeight }} />;
}
