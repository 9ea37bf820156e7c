import { isLoopbackHost } from '@countersign/contracts/program';
import { describeIssues, parsed } from '@countersign/contracts/settings';
import * as z from 'zod';
import { ReleaseError } from '../../platform/release-error.ts';
import type { RemoteServer } from './access-token.ts';

/** Parses an origin; `undefined` if it is invalid. An origin cannot have a path, and no host has a `*` in its name. */
export function parseOrigin(address: string): string | undefined {
  const { origin, href } = URL.parse(address) ?? {};
  return href === `${origin}/` && /^https?:\/\/[\w.:[\]-]+$/.test(origin ?? '') ? origin : undefined;
}

/** Parses an origin to which a token can be sent. */
export function parseSafeOrigin(address: string): string | undefined {
  const origin = parseOrigin(address);
  const { protocol, host } = new URL(origin ?? 'none:');
  return protocol === 'https:' || isLoopbackHost(host) ? origin : undefined;
}

export const serverOrigin = () =>
  parsed(
    parseSafeOrigin,
    'must be the https:// origin of the release server. Only on this machine may it be http://.',
  );

export const clientSettings = z.object({
  RELEASE_URL: serverOrigin()
    .optional()
    .describe(
      'Origin of a [release server](#the-release-server), which runs the commands in place of this machine',
    ),
  RELEASE_TOKEN: parsed(
    (value) => (/^[!-~]+$/.test(value) ? value : undefined),
    'must be the token alone, without blanks, quotes or a line break.',
  )
    .optional()
    .describe('Token of this releaser for that server; not needed in GitHub Actions'),
});

/** The release server that {@link clientSettings} name; `undefined` if they name none. */
export function remoteServer(
  { RELEASE_URL: url, RELEASE_TOKEN: token }: z.infer<typeof clientSettings>,
  environment: NodeJS.ProcessEnv,
): RemoteServer | undefined {
  const { ACTIONS_ID_TOKEN_REQUEST_URL: actionsUrl, ACTIONS_ID_TOKEN_REQUEST_TOKEN: actionsToken } =
    environment;
  const actions = actionsUrl && actionsToken ? { url: actionsUrl, token: actionsToken } : undefined;
  return url === undefined ? undefined : { url, token, actions };
}

/** Reads the settings of a client that has no others. Throws a {@link ReleaseError} that lists all errors. */
export function readClientConfig(environment: NodeJS.ProcessEnv = process.env): RemoteServer {
  const { data, error } = clientSettings.safeParse(environment);
  if (!data) throw new ReleaseError(describeIssues(error));
  const server = remoteServer(data, environment);
  if (server) return server;
  throw new ReleaseError('RELEASE_URL is missing. Set it to the https:// origin of the release server.');
}
