import type { BrowserContext } from '@playwright/test';

/**
 * Records messages in the console, of all types or of some, and errors that no code catches. A message about a lost file ends
 * with its address.
 */
export function recordConsole(context: BrowserContext, types?: readonly string[]): readonly string[] {
  const messages: string[] = [];
  context.on('console', (message) => {
    if (types && !types.includes(message.type())) return;
    const isLoss = message.text().startsWith('Failed to load resource');
    messages.push(isLoss ? `${message.text()} ${message.location().url}` : message.text());
  });
  context.on('weberror', (webError) => void messages.push(String(webError.error())));
  return messages;
}
