import { setTimeout } from 'node:timers/promises';

/** `degraded`: leads are taken, but something needs a look. `unavailable`: no lead can be taken. */
export interface Readiness {
  readonly status: 'ready' | 'degraded' | 'unavailable';
  /** Why it is not `ready`, each as a sentence. */
  readonly reasons: readonly string[];
}

export interface ReadinessSources {
  /** Rejects when the database does not answer. */
  oldestUndeliveredSeconds(): Promise<number>;
  /** How many leads wait on this machine; undefined if there is no spool. Rejects when it cannot be read. */
  readonly spoolDepth: (() => Promise<number>) | undefined;
  readonly lateAfterSeconds: number;
}

/** Says whether the service takes leads. */
export interface ReadinessCheck {
  check(): Promise<Readiness>;
  /** From now on the answer is `unavailable`: the service is about to stop. */
  beginDraining(): void;
}

/** A probe gives up sooner than a database does. */
const patience = 2_000;

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
  oldestUndeliveredSeconds,
  spoolDepth,
  lateAfterSeconds,
}: ReadinessSources): Promise<Readiness> {
  const [oldest, depth] = await Promise.all([
    attempt(oldestUndeliveredSeconds),
    spoolDepth ? attempt(spoolDepth) : undefined,
  ]);
  const reasons: string[] = [];
  if (oldest === undefined) reasons.push('The database does not answer.');
  else if (oldest > lateAfterSeconds) {
    reasons.push(`A delivery has waited for more than ${lateAfterSeconds} seconds.`);
  }
  if (spoolDepth !== undefined && depth === undefined) reasons.push('The spool does not answer.');
  if (depth !== undefined && depth > 0) reasons.push('Leads wait in the spool for the database.');
  if (oldest === undefined && depth === undefined) return { status: 'unavailable', reasons };
  return { status: reasons.length > 0 ? 'degraded' : 'ready', reasons };
}

/** What could be read in time. */
async function attempt(read: () => Promise<number>): Promise<number | undefined> {
  const abort = new AbortController();
  const late = setTimeout(patience, undefined, { signal: abort.signal }).catch(() => undefined);
  try {
    // A failure is the answer here: the service is asked whether it works.
    return await Promise.race([read().catch(() => undefined), late]);
  } finally {
    abort.abort();
  }
}
