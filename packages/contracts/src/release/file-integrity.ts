/**
 * Name of the global function that returns the expected hash of a script or stylesheet. The shell provides it
 * before it loads a remote; the chunk loader of every build calls it.
 */
export const fileIntegrityGlobal = '_FILE_INTEGRITY';

/** URL, as the loader requests it → subresource integrity. An unknown URL gets {@link noIntegrity}. */
export type FileIntegrity = (address: string) => string;

/** A hash that no file has, so browsers refuse the file. */
export const noIntegrity = `sha256-${'A'.repeat(43)}=`;

/**
 * Trusted Types policy that the shell loads remote entries with. The chunks of every build use a policy of
 * their own.
 */
export const entryPolicyName = 'entries';
