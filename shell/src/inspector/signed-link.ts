import type { DeveloperOverride } from '@countersign/contracts/developer-override';
import { overrideParameter } from '@countersign/contracts/override-parameter';

const invalid = 'This is no signed link. Paste the whole output of the command.';

/** The token of a signed link, or a token alone. */
export function tokenIn(text: string): string | undefined {
  const token = URL.parse(text.trim())?.searchParams.get(overrideParameter) ?? text.trim();
  return /^[\w-]+\.[\w-]+$/.test(token) ? token : undefined;
}

/**
 * Why the page would ignore a token, without a message. The shell verifies the signature.
 *
 * @param now milliseconds since epoch
 */
export function tokenError(token: string | undefined, remote: string, now: number): string | undefined {
  const { site, part, expires } = payloadOf(token);
  if (site === undefined || part === undefined || expires === undefined) return invalid;
  if (site !== location.origin) return `This link is for ${site}. Sign one with --site ${location.origin}.`;
  if (part !== remote) return `This link is for ${part}. Open it there, or sign one for ${remote}.`;
  return expires > now ? undefined : 'This link has expired. Sign another one.';
}

function payloadOf(token = ''): Partial<DeveloperOverride> {
  const [payload = ''] = token.split('.');
  try {
    const text = atob(payload.replaceAll('-', '+').replaceAll('_', '/'));
    return Object(JSON.parse(text)) as Partial<DeveloperOverride>;
  } catch {
    return {};
  }
}
