import { clockTolerance } from '../clock-tolerance.ts';
import type { DeliveryBacklog } from './delivery-backlog.ts';
import { inTime } from './in-time.ts';

/** `degraded`: leads are taken, but something needs a look. `unavailable`: no lead can be taken. */
export interface Readiness {
  readonly status: 'ready' | 'degraded' | 'unavailable';
  /** Why it is not `ready`, each as a sentence. */
  readonly reasons: readonly string[];
}

export interface ReadinessSources {
  backlog(): Promise<DeliveryBacklog>;
  /** How many leads wait on this machine; undefined if there is no spool. Rejects when it cannot be read. */
  readonly spoolDepth: (() => Promise<number>) | undefined;
  /** The last lead could not be stored. */
  refusesLeads(): boolean;
  /** What is wrong with the files of the database, of the spool, and what to do. Known once they have been read. */
  databaseFault(): string | undefined;
  spoolFault(): string | undefined;
  readonly lateAfterSeconds: number;
  /** Other reasons for `degraded` while leads are accepted, as sentences. */
  otherReasons?(): readonly string[];
}

/** Says whether the service takes leads. */
export interface ReadinessCheck {
  check(): Promise<Readiness>;
  /** From now on the answer is `unavailable`: the service is about to stop. */
  beginDraining(): void;
}

export function createReadinessCheck(sources: ReadinessSources): ReadinessCheck {
  let draining = false;
  let running: Promise<Readiness> | undefined;
  return {
    async check() {
      if (draining) return { status: 'unavailable', reasons: ['The service is stopping.'] };
      // However many ask at once, the databases are asked once.
      running ??= look(sources).finally(() => (running = undefined));
      return await running;
    },
    beginDraining: () => void (draining = true),
  };
}

async function look({
  backlog,
  spoolDepth,
  refusesLeads,
  databaseFault,
  spoolFault,
  lateAfterSeconds,
  otherReasons = () => [],
}: ReadinessSources): Promise<Readiness> {
  const [{ isKnown, oldestSeconds, aheadSeconds }, depth] = await Promise.all([
    backlog(),
    spoolDepth ? inTime(spoolDepth) : undefined,
  ]);
  const faults = [databaseFault(), spoolFault()].filter((fault) => fault !== undefined);
  const reasons: string[] = [...faults];
  if (refusesLeads()) reasons.push('The last lead could not be stored.');
  if (!isKnown) reasons.push('The database does not answer.');
  if (oldestSeconds > lateAfterSeconds) {
    reasons.push(`A delivery has waited for more than ${lateAfterSeconds} seconds.`);
  }
  if (aheadSeconds * 1_000 > clockTolerance) {
    reasons.push(
      'A delivery was planned by a clock that is ahead of this one. Compare the clocks of all machines.',
    );
  }
  if (spoolDepth !== undefined && depth === undefined) reasons.push('The spool does not answer.');
  if (depth !== undefined && depth > 0) reasons.push('Leads wait in the spool for the database.');
  reasons.push(...otherReasons());
  const databaseTakesLeads = isKnown && databaseFault() === undefined;
  const spoolTakesLeads = depth !== undefined && spoolFault() === undefined;
  if (refusesLeads() || !(databaseTakesLeads || spoolTakesLeads)) return { status: 'unavailable', reasons };
  return { status: reasons.length > 0 ? 'degraded' : 'ready', reasons };
}
