import { overrideParameter } from '@countersign/contracts/override-parameter';

const storageKey = 'developer-override';

/**
 * The token that this tab was given, if any. It comes in the address once and is taken out of it, so that no link, report or
 * lead carries it on; a reload still has it.
 */
export function takeOverrideToken(): string | undefined {
  return takeFromAddress() ?? readStored();
}

/** Keeps the token for this tab. */
export function storeOverrideToken(token: string): void {
  try {
    sessionStorage.setItem(storageKey, token);
  } catch {
    // Storage can be forbidden: the override then lasts until the page is loaded again.
  }
}

/** Ends the override of this tab. It shows until the page is loaded again. */
export function dropOverride(): void {
  try {
    sessionStorage.removeItem(storageKey);
  } catch {
    // Where storage is forbidden there is nothing to remove.
  }
}

function takeFromAddress(): string | undefined {
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
