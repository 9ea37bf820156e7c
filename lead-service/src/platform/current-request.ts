import { AsyncLocalStorage } from 'node:async_hooks';

/** The request that the current asynchronous context handles. */
interface CurrentRequest {
  /** From the `X-Request-Id` header, or generated. */
  readonly id: string;
}

const storage = new AsyncLocalStorage<CurrentRequest>();

/** Returns the current request, or undefined outside of one. */
export function currentRequest(): CurrentRequest | undefined {
  return storage.getStore();
}

/** Runs the action in the context of the request, including all asynchronous work that it starts. */
export function within<Result>(request: CurrentRequest, action: () => Result): Result {
  return storage.run(request, action);
}

/**
 * Runs the action without a request context, including all asynchronous work that it starts. For shared work that a
 * request only triggers.
 */
export function outsideOfRequests<Result>(action: () => Result): Result {
  return storage.exit(action);
}
