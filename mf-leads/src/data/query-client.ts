import { QueryClient, type QueryFunction } from '@tanstack/react-query';
import { throwIfNotOk } from './request.ts';

interface QueryClientOptions {
  /** What a query does when the visitor is not signed in. */
  readonly on401?: 'return-null' | 'throw';
}

/** GETs the parts of the query key joined with `/`. */
function getByQueryKey(on401: 'return-null' | 'throw'): QueryFunction {
  return async ({ queryKey, signal }): Promise<unknown> => {
    const response = await fetch(queryKey.join('/'), { credentials: 'include', signal });
    if (on401 === 'return-null' && response.status === 401) return null;
    await throwIfNotOk(response);
    return response.json();
  };
}

const clients = new WeakMap<object, QueryClient>();

/** The client that everything with the same session shares. */
export function clientOf(session: object): QueryClient {
  const client = clients.get(session) ?? createQueryClient();
  clients.set(session, client);
  return client;
}

/** What is fetched stays as it is, and nothing is tried twice: the visitor decides about another attempt. */
export function createQueryClient({ on401 = 'throw' }: QueryClientOptions = {}): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        queryFn: getByQueryKey(on401),
        // Without a network a request fails at once, instead of waiting unseen for one.
        networkMode: 'always',
        refetchInterval: false,
        refetchOnWindowFocus: false,
        staleTime: Infinity,
        retry: false,
      },
      mutations: { networkMode: 'always', retry: false },
    },
  });
}
