/** A validation error of one field, worded for the visitor. */
export interface FieldError {
  readonly field: string;
  readonly message: string;
}

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

/** An expected error with its HTTP response. All other errors become `unexpected`. */
export class HttpError extends Error implements ErrorKind {
  override readonly name = 'HttpError';
  readonly id: string;
  readonly status: number;
  readonly title: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly fieldErrors: readonly FieldError[] | undefined;

  constructor({ id, status, title }: ErrorKind, { detail, headers, fieldErrors, cause }: ErrorContent) {
    super(detail, { cause });
    this.id = id;
    this.status = status;
    this.title = title;
    this.headers = headers;
    this.fieldErrors = fieldErrors;
  }
}

/** The source of a streamed body failed after the response has begun. The cause is the failure. */
export class StreamError extends Error {
  override readonly name = 'StreamError';
}

interface ErrorTexts<Input> {
  /** A message for the visitor. */
  readonly detail: string | ((input: Input) => string);
  readonly headers?: Readonly<Record<string, string | ((input: Input) => string)>>;
  readonly fieldErrors?: (input: Input) => readonly FieldError[];
  readonly cause?: (input: Input) => unknown;
}

/** Creates errors of one kind. */
export type DefinedError<Input = void> = (input: Input) => HttpError;

/** @template Input argument of the created function, on which text, headers, field errors and cause may depend */
export function defineError<Input = void>(
  status: number,
  id: string,
  title: string,
  { detail, headers = {}, fieldErrors, cause }: ErrorTexts<Input>,
): DefinedError<Input> {
  const kind = { id, status, title };
  return (input) => {
    const textOf = (text: string | ((input: Input) => string)) =>
      typeof text === 'string' ? text : text(input);
    return new HttpError(kind, {
      detail: textOf(detail),
      headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, textOf(value)])),
      fieldErrors: fieldErrors?.(input),
      cause: cause?.(input),
    });
  };
}

/** The `type` URN of an error in a problem document (RFC 9457). Stable, like the error id. */
export function problemType(id: string): string {
  return `urn:problem-type:lead-service:${id}`;
}
