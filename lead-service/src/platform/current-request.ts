import { AsyncLocalStorage } from 'node:async_hooks';

/** What is known, anywhere below the handling of a request, of that request. */
export interface CurrentRequest {
  /** From `X-Request-Id`, or made for it. */
  readonly id: string;
}

const storage = new AsyncLocalStorage<CurrentRequest>();

/** The request that is being handled, if it is one. */
export function currentRequest(): CurrentRequest | undefined {
  return storage.getStore();
}

/** Everything that the action starts belongs to the request. */
export function within<Result>(request: CurrentRequest, action: () => Result): Result {
  return storage.run(request, action);
}

/** Everything that the action starts belongs to no request, although one may have caused it. */
export function outsideOfRequests<Result>(action: () => Result): Result {
  return storage.exit(action);
}
