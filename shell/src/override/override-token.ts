import { overrideParameter } from '@countersign/contracts/override-parameter';

const storageKey = 'developer-override';

/**
 * Returns the override token of this tab, if any. A token in the URL is removed from it, so that links, reports
 * and leads do not contain it. A reload reads it from the tab's storage.
 */
export function readOverrideToken(): string | undefined {
  return moveFromUrl() ?? readStored();
}

/** Stores the token for this tab. */
export function storeOverrideToken(token: string): void {
  try {
    sessionStorage.setItem(storageKey, token);
  } catch {
    // If storage is blocked, the override ends at the next reload.
  }
}

/** Removes the token. The override stays active until the page is reloaded. */
export function clearOverrideToken(): void {
  try {
    sessionStorage.removeItem(storageKey);
  } catch {
    // If storage is blocked, no token is stored.
  }
}

function moveFromUrl(): string | undefined {
  const address = new URL(location.href);
  const token = address.searchParams.get(overrideParameter);
  if (token === null) return undefined;
  address.searchParams.delete(overrideParameter);
  history.replaceState(history.state, '', address);
  return token;
}

function readStored(): string | undefined {
  try {
    return sessionStorage.getItem(storageKey) ?? undefined;
  } catch {
    return undefined;
  }
}
