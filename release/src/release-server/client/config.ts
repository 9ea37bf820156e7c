import { EnvironmentReader, type Environment } from '@countersign/environment/environment-reader';
import { text } from '@countersign/environment/variables';
import { parseSafeOrigin } from '../../platform/parse-origin.ts';
import { ReleaseError } from '../../platform/release-error.ts';
import type { RemoteServer } from './access-token.ts';

/** Settings of a client of the release server. */
export const clientVariables = {
  RELEASE_URL: text(
    'Origin of a [release server](#the-release-server), which runs the commands in place of this machine',
    {
      parse: parseSafeOrigin,
      mistake: 'must be the https:// origin of the release server. Only on this machine may it be http://.',
    },
  ),
  RELEASE_TOKEN: text('Token of this releaser for that server; not needed in GitHub Actions', {
    parse: (value) => (/^[!-~]+$/.test(value) ? value : undefined),
    mistake: 'must be the token alone, without blanks, quotes or a line break.',
  }),
};

/** The release server that {@link clientVariables} name; `undefined` if they name none. */
export function remoteServer(
  {
    RELEASE_URL: url,
    RELEASE_TOKEN: token,
  }: { readonly [Name in keyof typeof clientVariables]?: string | undefined },
  { ACTIONS_ID_TOKEN_REQUEST_URL: actionsUrl, ACTIONS_ID_TOKEN_REQUEST_TOKEN: actionsToken }: Environment,
): RemoteServer | undefined {
  const actions = actionsUrl && actionsToken ? { url: actionsUrl, token: actionsToken } : undefined;
  return url === undefined ? undefined : { url, token, actions };
}

/** Reads the settings of a client that has no others. Throws a {@link ReleaseError} that lists all errors. */
export function readClientConfig(environment: Environment = process.env): RemoteServer {
  const reader = new EnvironmentReader(environment);
  const server = remoteServer(reader.read(clientVariables), environment);
  if (reader.errors.length > 0) throw new ReleaseError(reader.errors.join(' '));
  if (server) return server;
  throw new ReleaseError('RELEASE_URL is missing. Set it to the https:// origin of the release server.');
}
