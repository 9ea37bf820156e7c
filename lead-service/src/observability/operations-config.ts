import { resolve } from 'node:path';
import type { EnvironmentReader } from '@countersign/environment/environment-reader';
import { host, port, text, wholeNumber } from '@countersign/environment/variables';
import type { ServerAddress } from '../http/server.ts';

export interface OperationsConfig {
  /** Address of the metrics server, if enabled. Port 0 picks a free one. */
  readonly metrics: ServerAddress | undefined;
  /** Age of the oldest delivery from which the service is degraded, in seconds. */
  readonly lateAfterSeconds: number;
  /** Seconds for which `/readyz` answers 503 before the service closes its ports, so that a load balancer can react. */
  readonly stopDelaySeconds: number;
  /** URL or path of the live page, which names the versions with separate metrics. */
  readonly livePage: string | undefined;
}

const protocols = ['http:', 'https:'];

export const operationsVariables = {
  METRICS_PORT: port('Port of `GET /metrics` for Prometheus; `0` picks a free one', undefined),
  METRICS_HOST: host('Address to listen on', '127.0.0.1'),
  DELIVERY_LATE_AFTER_SECONDS: wholeNumber(
    'Seconds; `/readyz` reports `degraded` if a delivery has been due for longer',
    { initial: 600, min: 1, max: 604_800 },
  ),
  STOP_DELAY_SECONDS: wholeNumber(
    'Seconds for which `/readyz` answers 503 at a stop before the service closes its ports, so that a load balancer can react',
    { initial: 0, min: 0, max: 600 },
  ),
  LIVE_PAGE: text(
    'URL of the site, or path of the live `index.html`. Metrics and leads contain only versions that this page names',
    {
      parse: parseLivePage,
      mistake:
        'must look like https://www.example.com/ or /srv/site/current/index.html. Correct or remove it.',
    },
  ),
};

export function readOperations(reader: EnvironmentReader): OperationsConfig {
  const values = reader.read(operationsVariables);
  const { METRICS_HOST, METRICS_PORT } = values;
  return {
    metrics: METRICS_PORT === undefined ? undefined : { host: METRICS_HOST, port: METRICS_PORT },
    lateAfterSeconds: values.DELIVERY_LATE_AFTER_SECONDS,
    stopDelaySeconds: values.STOP_DELAY_SECONDS,
    livePage: values.LIVE_PAGE,
  };
}

/** A value with a scheme must be an HTTP URL. Any other value is a path. */
function parseLivePage(value: string): string | undefined {
  if (!/^[a-z][a-z\d+.-]+:/i.test(value)) return value.trim() === '' ? undefined : resolve(value);
  const address = URL.parse(value);
  return address !== null && protocols.includes(address.protocol) ? address.href : undefined;
}
