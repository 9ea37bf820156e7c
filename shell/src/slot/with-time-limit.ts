/** What took too long. `limit` is in milliseconds. */
export class TimeLimitError extends Error {
  override readonly name = 'TimeLimitError';

  constructor(limit: number) {
    super(`Not loaded within ${Math.round(limit)} ms.`);
  }
}

/** Settles as the promise does, or rejects with a {@link TimeLimitError}. `limit` is in milliseconds. */
export function withTimeLimit<Value>(promise: Promise<Value>, limit: number): Promise<Value> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new TimeLimitError(limit)), limit);
    promise.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
