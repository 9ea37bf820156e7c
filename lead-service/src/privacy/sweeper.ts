import { setTimeout } from 'node:timers/promises';
import { describeError, type Log } from '../log.ts';
import type { Desk } from '../sales/desk.ts';
import type { RetentionConfig } from './retention-config.ts';
import { sweep } from './sweep.ts';

/** Sweeps now and then, as long as the service runs. */
export interface Sweeper {
  /** Breaks off a sweep that is under way; the next one goes on. Resolves when it has ended. */
  stop(): Promise<void>;
}

/** In milliseconds. */
interface Pace {
  readonly first: number;
  readonly between: number;
}

const hourly: Pace = { first: 60_000, between: 60 * 60_000 };

/** The actor in the audit log for what nobody has done by hand. */
export const retentionActor = 'retention';

export function startSweeper(
  desk: Omit<Desk, 'actor'>,
  retention: RetentionConfig,
  log: Log,
  { first, between } = hourly,
): Sweeper {
  const stopping = new AbortController();
  const { signal } = stopping;
  const pause = (milliseconds: number) =>
    setTimeout(milliseconds, undefined, { signal }).catch(() => undefined);

  async function run(): Promise<void> {
    for (await pause(first); !signal.aborted; await pause(between)) {
      try {
        const { leads, expired } = await sweep({ ...desk, actor: retentionActor }, retention, { signal });
        if (leads + expired > 0) log.info('swept', { leads, expired });
      } catch (error) {
        if (!signal.aborted) log.warn('could not sweep, will try again', { error: describeError(error) });
      }
    }
  }

  const running = run();
  return {
    async stop() {
      stopping.abort();
      await running;
    },
  };
}
