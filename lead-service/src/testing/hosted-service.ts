import assert from 'node:assert/strict';
import { readConfig } from '../config.ts';
import { startService } from '../service.ts';
import { createMemoryLog } from './memory-log.ts';
import { until } from './until.ts';

/** The whole service inside the test's own process, which saves the start of another. Disposing of it stops it. */
export interface HostedService extends AsyncDisposable {
  readonly url: string;
  /** The address of the administration, without a path. Empty where nothing is said of one. */
  readonly adminUrl: string;
  /** Every line logged so far. */
  readonly lines: readonly string[];
  /** Those of them that are errors, which go to stderr otherwise. */
  readonly errors: readonly string[];
  /** The first line that contains the text, once it is there. */
  line(text: string): Promise<string>;
  stop(): Promise<void>;
}

/** Starts the service with this environment, on a free port unless the environment names one. */
export async function hostService(environment: Readonly<Record<string, string>>): Promise<HostedService> {
  const result = readConfig({ LEADS_PORT: '0', ...environment });
  assert.ok(result.valid, 'the settings of the test are wrong');
  const log = createMemoryLog();
  const errors: string[] = [];
  const service = await startService(result.config, {
    ...log,
    error(event, details) {
      errors.push(event);
      log.error(event, details);
    },
  });
  const find = (text: string) => log.lines.find((line) => line.includes(text));
  let stopped: Promise<void> | undefined;
  const stop = () => (stopped ??= service.stop());
  return {
    url: service.url,
    adminUrl: /http:.+(?=\/admin\/inbox)/.exec(find('inbox on') ?? '')?.[0] ?? '',
    lines: log.lines,
    errors,
    async line(text) {
      await until(
        () => log.lines,
        () => find(text) !== undefined,
      );
      return find(text) ?? assert.fail(text);
    },
    stop,
    [Symbol.asyncDispose]: stop,
  };
}
