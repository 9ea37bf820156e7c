/** What client and release server send each other. */
import * as z from 'zod/mini';
import { maxNameLength, safeName } from '../publish/build-files.ts';
import { buildLimits } from '../publish/regular-files.ts';
import { commitName } from '../publish/read-commit.ts';

/** Folders of a file, one in the other, and its name. */
const maxDepth = 10;

const sentFile = z.object({
  name: z.string().check(
    z.regex(safeName),
    z.maxLength(maxNameLength),
    z.refine((name) => {
      const words = name.split('/');
      // The name of a folder above would pass as a name.
      return words.length <= maxDepth && !words.some((word) => /^\.+$/.test(word));
    }),
  ),
  /** In bytes. */
  size: z.int().check(z.minimum(0), z.maximum(buildLimits.file)),
});

/** First line of a call: its arguments and, if it publishes, the files of the build, whose bytes follow in this order. */
export const callHeader = z.strictObject({
  words: z.array(z.string().check(z.maxLength(2_000))).check(z.maxLength(50)),
  build: z.optional(
    z.strictObject({
      commit: z.optional(z.string().check(z.regex(commitName))),
      files: z.array(sentFile).check(
        z.maxLength(buildLimits.files),
        z.refine((files) => files.reduce((sum, { size }) => sum + size, 0) <= buildLimits.folder),
      ),
    }),
  ),
});
export type CallHeader = z.infer<typeof callHeader>;

const exitCode = z.int().check(z.minimum(0), z.maximum(255));

/** How a call ended. */
const callResult = z.object({ exitCode, stdout: z.string() });
export type CallResult = z.infer<typeof callResult>;

/** A line of the answer: a piece of stderr, or the result, which is the last line. Empty lines keep the connection open. */
export const callEvent = z.union([z.object({ progress: z.string() }), callResult]);
export type CallEvent = z.infer<typeof callEvent>;

/** A refused request. */
export const refusal = z.object({ message: z.string(), exitCode });

/** Tells a client in which process of the server it would start a call: another one does not know the call. */
export const health = z.object({ instance: z.string() });
