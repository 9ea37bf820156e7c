/** What client and release server send each other. */
import { fileName } from '@countersign/contracts/part-manifest';
import * as z from 'zod';
import { buildLimits, commitName } from '../store/stored-documents.ts';

/** In bytes: a build in base64, with the names of its files. */
export const maxCallSize = 1.4 * buildLimits.folder;

/** The body of a call: its arguments and, if it publishes, the build: name of each file → content in base64. */
export const callBody = z.strictObject({
  words: z.array(z.string()),
  build: z
    .strictObject({
      commit: z.string().regex(commitName).optional(),
      files: z.record(fileName, z.string()),
    })
    .optional(),
});
export type CallBody = z.infer<typeof callBody>;

const exitCode = z.int().min(0).max(255);

/** How a call ended. */
const callResult = z.object({ exitCode, stdout: z.string() });
export type CallResult = z.infer<typeof callResult>;

/** A line of the answer: a piece of stderr, or the result, which is the last line. Empty lines keep the connection open. */
export const callEvent = z.union([z.object({ progress: z.string() }), callResult]);
export type CallEvent = z.infer<typeof callEvent>;

/** A refused request. */
export const refusal = z.object({ message: z.string(), exitCode });

/** Names the process of the server, because only the process that has started a call knows it. */
export const health = z.object({ instance: z.string() });
