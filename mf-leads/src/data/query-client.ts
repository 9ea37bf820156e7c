// blind spot: no component queries yet, but tests do.
import { QueryClient, type QueryFunction } from '@tanstack/react-query';
import { throwIfNotOk } from './request.ts';

/** Result of a query that gets status 401. */
type On401 = 'return-null' | 'throw';

/** Default query function: sends a GET to the query key, joined with `/`. The forms only send leads, so no component queries yet. */
function getByQueryKey(on401: On401): QueryFunction {
  return async ({ queryKey, signal }): Promise<unknown> => {
    const response = await fetch(queryKey.join('/'), { credentials: 'include', signal });
    if (on401 === 'return-null' && response.status === 401) return null;
    await throwIfNotOk(response);
    return response.json();
  };
}

/**
 * Data never becomes stale and requests are not retried automatically, because the visitor decides whether to
 * try again.
 */
export function createQueryClient(on401: On401 = 'throw'): QueryClient {
  // Offline, a request fails at once instead of being paused.
  const common = { networkMode: 'always', retry: false } as const;
  const queries = { refetchInterval: false, refetchOnWindowFocus: false, staleTime: Infinity } as const;
  return new QueryClient({
    defaultOptions: {
      queries: { ...common, ...queries, queryFn: getByQueryKey(on401) },
      mutations: common,
    },
  });
}

/** The query client of all forms. It outlives them, so a reopened form knows of a request. */
export const queryClient = createQueryClient();
