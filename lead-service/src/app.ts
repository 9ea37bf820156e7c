import Koa from 'koa';
import { errorAnswers } from './error-answers.ts';
import { describeError, type Log } from './log.ts';
import { healthRoutes } from './routes/health.ts';
import { leadRoutes } from './routes/leads.ts';
import { unmatched } from './routes/unmatched.ts';
import type { LeadStore } from './store/lead-store.ts';

export interface AppDependencies {
  readonly store: LeadStore;
  readonly log: Log;
}

/** Builds the service without starting it. The caller opens and closes the store. */
export function createApp({ store, log }: AppDependencies): Koa {
  const app = new Koa();
  // What fails after an answer has begun, such as a lost connection, reaches no middleware.
  app.on('error', (error: unknown) => log.error(`answer not delivered: ${describeError(error)}`));
  app.use(errorAnswers(log));
  app.use(healthRoutes().routes());
  app.use(leadRoutes(store, log).routes());
  app.use(unmatched);
  return app;
}
