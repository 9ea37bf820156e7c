/** Settles as the promise does, or rejects when the time is up. `limit` is in milliseconds. */
export function withTimeLimit<Value>(promise: Promise<Value>, limit: number): Promise<Value> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`Not loaded within ${Math.round(limit)} ms.`)), limit);
    promise.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
