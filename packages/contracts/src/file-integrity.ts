/**
 * Name of the global function through which code that loads a script or a stylesheet learns what its bytes must hash to.
 * The shell provides it from the release document before it loads any remote; the loader in every build calls it.
 */
export const fileIntegrityGlobal = '_FILE_INTEGRITY';

/** Address, as the loader asks for it → subresource integrity. An address that nobody knows gets {@link noIntegrity}. */
export type FileIntegrity = (address: string) => string;

/** Stands for a hash that no file has: with it, a browser refuses whatever bytes arrive. */
export const noIntegrity = `sha384-${'A'.repeat(64)}`;

/** Trusted Types policy through which the shell loads the entries of remotes. Every build has one of its own name. */
export const entryPolicyName = 'entries';
