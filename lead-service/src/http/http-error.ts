import type { FieldError } from '../platform/refusal.ts';

interface ErrorKind {
  /** Stable, because clients may depend on it. */
  readonly id: string;
  readonly status: number;
  readonly title: string;
}

interface ErrorContent {
  /** A message for the visitor. */
  readonly detail: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly fieldErrors?: readonly FieldError[] | undefined;
  readonly cause?: unknown;
}

/** An error with its HTTP response, in the form that Koa knows: `status`, and `expose` if the message is for the client. */
export class HttpError extends Error implements ErrorKind {
  override readonly name = 'HttpError';
  readonly id: string;
  readonly status: number;
  readonly expose: boolean;
  readonly title: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly fieldErrors: readonly FieldError[] | undefined;

  constructor({ id, status, title }: ErrorKind, { detail, headers, fieldErrors, cause }: ErrorContent) {
    super(detail, { cause });
    this.id = id;
    this.status = status;
    this.expose = status !== 500;
    this.title = title;
    this.headers = headers;
    this.fieldErrors = fieldErrors;
  }
}

/** The source of a streamed response body, such as an export, failed after the response had begun. The cause is the failure. */
export class StreamError extends Error {
  override readonly name = 'StreamError';
}

interface ErrorTexts<Input> {
  /** A message for the visitor. */
  readonly detail: string | ((input: Input) => string);
  readonly headers?: Readonly<Record<string, string | ((input: Input) => string)>>;
  readonly cause?: (input: Input) => unknown;
}

/** Creates errors of one kind. */
export type DefinedError<Input = void> = (input: Input) => HttpError;

/** @template Input argument of the created function, on which text, headers and cause may depend */
export function defineError<Input = void>(
  status: number,
  id: string,
  title: string,
  { detail, headers = {}, cause }: ErrorTexts<Input>,
): DefinedError<Input> {
  const kind = { id, status, title };
  return (input) => {
    const textOf = (text: string | ((input: Input) => string)) =>
      typeof text === 'string' ? text : text(input);
    return new HttpError(kind, {
      detail: textOf(detail),
      headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, textOf(value)])),
      cause: cause?.(input),
    });
  };
}

/** The `type` URN of an error in a problem document (RFC 9457). Stable, like the error id. */
export function problemType(id: string): string {
  return `urn:problem-type:lead-service:${id}`;
}
