/** Environment of a service on an unavailable PostgreSQL. No process listens on port 1. */
export const unavailableDatabase = {
  DATABASE_URL: 'postgres://nobody@127.0.0.1:1/leads',
  LEADS_SECRET: 'a secret that only the tests of the service use',
} as const;
