import { browserArguments } from '@countersign/browser/browser-arguments';
import { findBrowser } from '@countersign/browser/find-browser';
import { config } from '../config.ts';

export function launchOptions(...additional: readonly string[]) {
  const executablePath = findBrowser(config);
  return { ...(executablePath ? { executablePath } : {}), args: [...browserArguments, ...additional] };
}
