import { resolve } from 'node:path';
import type { EnvironmentReader } from '../environment-reader.ts';
import type { ServerAddress } from '../server.ts';

/** How a running service is watched. */
export interface OperationsConfig {
  /** Where Prometheus asks, if it does. 0 lets the system choose a free port. */
  readonly metrics: ServerAddress | undefined;
  /** A delivery that has waited longer makes the service degraded. */
  readonly lateAfterSeconds: number;
  /** How long the service says that it stops before it accepts no more, so that a load balancer can look elsewhere. */
  readonly stopDelaySeconds: number;
  /** Address that spans are posted to (OTLP as JSON), if any are. */
  readonly tracesUrl: string | undefined;
  /** Address or path of the live page, which names the versions that reports are counted for. */
  readonly livePage: string | undefined;
}

export function readOperations(reader: EnvironmentReader): OperationsConfig {
  const port = reader.wholeNumber('METRICS_PORT', { initial: -1, least: 0, most: 65_535 });
  const host = reader.host('METRICS_HOST', '127.0.0.1');
  return {
    metrics: port === -1 ? undefined : { host, port },
    lateAfterSeconds: reader.wholeNumber('DELIVERY_LATE_AFTER_SECONDS', {
      initial: 600,
      least: 1,
      most: 604_800,
    }),
    stopDelaySeconds: reader.wholeNumber('STOP_DELAY_SECONDS', { initial: 0, least: 0, most: 600 }),
    tracesUrl: readTracesUrl(reader),
    livePage: readLivePage(reader),
  };
}

/** Anything with a scheme must be an address that can be fetched; the rest is a path. */
function readLivePage(reader: EnvironmentReader): string | undefined {
  const value = reader.text('LIVE_PAGE');
  if (value === undefined) return undefined;
  if (!/^[a-z][a-z\d+.-]+:/i.test(value)) return resolve(value);
  return reader.url(
    'LIVE_PAGE',
    ['http:', 'https:'],
    'https://www.example.com/ or /srv/site/current/index.html',
  )?.href;
}

/** The names and their meaning are OpenTelemetry's: the general address gets a path appended, the special one none. */
function readTracesUrl(reader: EnvironmentReader): string | undefined {
  const protocols = ['http:', 'https:'];
  const special = reader.url(
    'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT',
    protocols,
    'http://127.0.0.1:4318/v1/traces',
  );
  const general = reader.url('OTEL_EXPORTER_OTLP_ENDPOINT', protocols, 'http://127.0.0.1:4318');
  if (special !== undefined) return special.href;
  if (general === undefined) return undefined;
  general.pathname = `${general.pathname.replace(/\/$/, '')}/v1/traces`;
  return general.href;
}
