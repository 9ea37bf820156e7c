/** Address of a PostgreSQL that tests may create and drop databases on. Without it they run on SQLite alone. */
export const testDatabaseUrl = process.env.TEST_DATABASE_URL;
