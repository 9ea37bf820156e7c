/** The messages between client and release server. */
import * as z from 'zod';
import { commitName } from '../store/stored-documents.ts';

/** Number of this protocol. A change that older clients or servers do not understand raises it. */
export const protocol = 2;
/** Message for clients of an earlier protocol. */
export const outdatedClient =
  'This release command is older than the release server. Update this repository, or bundle its client again.';

/** Header with a {@link SentCall}, as JSON in base64. The body is the build. */
export const callHeader = 'release-call';

/** The description of a build that a client sends: the SHA-256 of the tar in hexadecimal, its bytes, and the commit. */
const sentBuild = z.strictObject({
  hash: z.string(),
  size: z.int().min(0),
  commit: z.string().regex(commitName).optional(),
});
export type SentBuild = Readonly<z.infer<typeof sentBuild>>;

/** A call: the words of its command line, which the server parses, and the build if it publishes. */
export const sentCall = z.strictObject({
  words: z.array(z.string()).readonly(),
  build: sentBuild.optional(),
});
export type SentCall = Readonly<z.infer<typeof sentCall>>;

const exitCode = z.int().min(0).max(255);

/** How a call ended. */
const callResult = z.object({ exitCode, stdout: z.string() });
export type CallResult = z.infer<typeof callResult>;

/** The text on stderr after the requested position, and the result of the call if it has ended. */
export const callState = z.object({ progress: z.string(), result: callResult.optional() });
export type CallState = z.infer<typeof callState>;

/** A refused request. */
export const refusal = z.object({ message: z.string(), exitCode });

/** Names the process of the server, because only the process that has started a call knows it. The first protocol had no number. */
export const health = z.object({ instance: z.string(), protocol: z.int().default(1) });
