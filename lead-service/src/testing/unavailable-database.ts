/** What makes a service use a PostgreSQL that does not answer: nothing listens there. */
export const awayDatabase = {
  DATABASE_URL: 'postgres://nobody@127.0.0.1:1/leads',
  LEADS_SECRET: 'a secret that only the tests of the service use',
} as const;
