import { dirname } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { describeAttribution } from '../database/describe-attribution.ts';
import type { LeadView } from '../database/tables.ts';
import type { LeadDetails } from '../admin/read-leads.ts';
import { reasonOf } from '../platform/log.ts';
import { createDirectory, replaceFile } from '../platform/replace-file.ts';
import { StartupError } from '../platform/explained-error.ts';

/** Prints text and a line break to stdout. Replaces control characters, so that user text cannot control the terminal. */
export function print(text: string): void {
  process.stdout.write(`${printable(text)}\n`);
}

/** EPIPE errors of stdout and stderr; the errors themselves, because a connection to a database may fail with the same code. */
const closedPipeErrors = new WeakSet<Error>();

/** Records EPIPE of stdout and stderr instead of crashing: a reader such as `head` may close early. Other errors end the process. */
export function watchOutputPipes(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error;
      closedPipeErrors.add(error);
    });
  }
}

/** Prints progress and notes to stderr, because stdout is for results. */
export function printStatus(text: string): void {
  process.stderr.write(`${printable(text)}\n`);
}

/** Prints JSON to stdout, with control characters escaped, which `JSON.stringify` does only in part. */
export function printJson(value: unknown): void {
  const escaped = JSON.stringify(value, null, 2).replaceAll(
    controlCharacters,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  process.stdout.write(`${escaped}\n`);
}

/** `1 lead`, `2 leads`. */
export function counted(count: number, thing: string, things = `${thing}s`): string {
  return `${count} ${count === 1 ? thing : things}`;
}

/** Formats an ISO 8601 time as `2026-11-21 09:30`, in UTC. */
export function shortTime(iso: string): string {
  return iso.slice(0, 16).replace('T', ' ');
}

/** Control characters and bidirectional controls, which change the state of a terminal. Line breaks and tabs are allowed. */
const controlCharacters = /(?![\n\t])[\p{Cc}\p{Bidi_Control}]/gu;

/** Replaces control characters in user text for a terminal. Keeps line breaks and tabs. */
function printable(text: string): string {
  return text.replaceAll('\r\n', '\n').replaceAll(controlCharacters, '\ufffd');
}

/** User text on one line, truncated to `max` characters. */
export function printableLine(text: string, max = Infinity): string {
  const line = printable(text).replaceAll(/\s+/g, ' ').trim();
  const characters = [...line];
  return characters.length > max ? `${characters.slice(0, max - 1).join('')}…` : line;
}

/** Writes an export, which is CSV or JSON for programs and so unchanged, to stdout and leaves stdout open. Ends if its reader closes. */
export async function writeToStdout(stream: Readable): Promise<void> {
  try {
    await pipeline(stream, process.stdout, { end: false });
  } catch (error) {
    if (!(error instanceof Error && closedPipeErrors.has(error))) throw error;
  }
}

/** Replaces a file by an export. Creates its folder if it is missing. */
export async function writeToFile(file: string, stream: Readable, mode?: number): Promise<void> {
  try {
    await createDirectory(dirname(file));
    await replaceFile(file, stream, mode);
  } catch (error) {
    // Explains those of the file, because others count as errors of the database.
    if (error === stream.errored) throw error;
    throw new StartupError(
      `Cannot write ${file} (${reasonOf(error)}). Free space, or name a file that this user may write.`,
      { cause: error },
    );
  }
}

/** A lead in one line, which begins with its id. */
export function leadLine({ id, receivedAt, type, quarantinedAt, name, company, email }: LeadView): string {
  const held = quarantinedAt === null ? '' : ' in quarantine';
  const sender = printableLine([name, ...(company === null ? [] : [company])].join(', '), 80);
  return `${id}  ${shortTime(receivedAt)}  ${type}${held}  ${sender} <${printableLine(email, 80)}>`;
}

export function describeLead({ lead, deliveries }: LeadDetails): string {
  const facts: [string, string | null][] = [
    ['Id', lead.id],
    ['Received', lead.receivedAt],
    ['Type', lead.type],
    ['Quarantine', lead.quarantinedAt && `since ${lead.quarantinedAt}, score ${lead.spamScore}`],
    ['Reasons', lead.spamReasons.join('; ')],
    ['Name', lead.name],
    ['E-mail', lead.email],
    ['Company', lead.company],
    ...describeAttribution(lead.attribution),
  ];
  return [
    ...facts.flatMap(([name, value]) => (value ? [`${`${name}:`.padEnd(14)}${printableLine(value)}`] : [])),
    '',
    printable(lead.message),
    '',
    'Deliveries',
    ...deliveries.flatMap(({ id, kind, target, state, pastAttempts }) => [
      `  ${state.padEnd(8)} ${kind}${target && ` ${printableLine(target)}`}  ${id}`,
      ...pastAttempts.map(
        ({ number, startedAt, outcome, status, latencyMs, answer }) =>
          `           ${number}. ${shortTime(startedAt)} ${outcome} ${status ?? ''} in ${latencyMs} ms ${printableLine(answer, 80)}`,
      ),
    ]),
  ].join('\n');
}
