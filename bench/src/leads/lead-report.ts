import { availableParallelism, cpus } from 'node:os';
import type { LoadFigures } from './load-figures.ts';

/**
 * `echo`: upper bound of HTTP on this machine. `hand-written`: the same rows in a transaction per lead.
 */
type SeriesKind = 'echo' | 'service' | 'hand-written';

/** Figures of one measured server. */
export interface LoadSeries {
  readonly name: string;
  readonly kind: SeriesKind;
  /** The database. Only series on the same one are compared. */
  readonly where: string;
  readonly byConnections: Readonly<Record<number, LoadFigures>>;
}

export interface LeadLoad {
  /** Load average of the machine over the last minute before the measurement. */
  readonly loadAverage: number;
  readonly series: readonly LoadSeries[];
  /** Messages about series that could not be measured. */
  readonly missing: readonly string[];
}

const nameWidth = 42;
const columnWidth = 22;

/**
 * Formats the load as a table: leads per second, and the 50th and 99th percentile of response times in
 * milliseconds.
 */
export function loadReport({ loadAverage, series, missing }: LeadLoad): string {
  const connections = Object.keys(series[0]?.byConnections ?? {});
  return [
    `Durable leads per second (p50 / p99 in ms) by connections; ${availableParallelism()} × ${cpus()[0]?.model ?? 'CPU'} for everything`,
    ''.padEnd(nameWidth) + connections.map((count) => count.padStart(columnWidth)).join(''),
    ...series.map(
      ({ name, byConnections }) =>
        name.padEnd(nameWidth) +
        connections.map((count) => cell(byConnections[Number(count)]).padStart(columnWidth)).join(''),
    ),
    `The load average of the machine was ${loadAverage.toFixed(2)} before.`,
    'The service commits lead, idempotency record and delivery before it answers; limits and delivery are off.',
    ...ratiosToHandWritten(series),
    ...missing,
    ...refusals(series),
  ].join('\n');
}

function cell(figures: LoadFigures | undefined): string {
  if (!figures) return '';
  return `${Math.round(figures.perSecond)} (${figures.p50} / ${figures.p99})`;
}

/** Compares the service with the same number of instances of the hand-written service. */
function ratiosToHandWritten(series: readonly LoadSeries[]): string[] {
  return series
    .filter(({ kind }) => kind === 'hand-written')
    .flatMap((peer) => {
      const service = series.find(({ kind, where }) => kind === 'service' && where === peer.where);
      if (!service) return [];
      const connections = Object.keys(peer.byConnections).map(Number);
      const compared = connections.map((count) => {
        const [ours = 0, theirs = 0] = [service, peer].map((one) => one.byConnections[count]?.perSecond);
        return (ours / theirs).toFixed(2);
      });
      return [
        `${service.name} takes ${compared.join(' / ')} × what ${peer.name} does, at ${connections.join(' / ')} connections.`,
      ];
    });
}

/** Lists responses that stored no lead, because these are faster and distort the figures. */
function refusals(series: readonly LoadSeries[]): string[] {
  return series.flatMap(({ name, byConnections }) =>
    Object.values(byConnections).flatMap((figures) =>
      Object.entries(figures.statuses)
        .filter(([status]) => status !== '200' && status !== '201')
        .map(([status, count]) => `Not stored: ${count} answers of ${name} had status ${status}.`),
    ),
  );
}
