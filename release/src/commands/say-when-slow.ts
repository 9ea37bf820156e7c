import { note } from './print.ts';

/** From then on people wonder, in milliseconds. */
const patience = 1000;

/** Does work, and says on stderr what it is if it takes more than a moment. */
export async function sayWhenSlow<Result>(what: string, work: () => Promise<Result>): Promise<Result> {
  const timer = setTimeout(() => note(`${what} …`), patience);
  try {
    return await work();
  } finally {
    clearTimeout(timer);
  }
}
