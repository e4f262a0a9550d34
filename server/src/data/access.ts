import pg from 'pg'
import { migrate } from './migrate.ts'
import type { Settings } from '../config/settings.ts'

/** Connections to the database: `app` serves; `owner` migrates, or `app` does when `owner` is undefined. */
export type Access = { app: pg.ClientConfig; owner: pg.ClientConfig | undefined }

/** The database of DATABASE_URL; undefined when it is not set. */
export const outsideDatabase = ({ databaseUrl, databaseOwnerUrl }: Settings): Access | undefined =>
  databaseUrl === undefined
    ? undefined
    : {
        app: { connectionString: databaseUrl },
        owner: databaseOwnerUrl === undefined ? undefined : { connectionString: databaseOwnerUrl },
      }

/** Applies the migrations and grants the serving role its rights. @throws StartError */
export const migrateFor = async ({ app, owner }: Access): Promise<void> => {
  // pg.Client fills in the user that it connects as when the address names none.
  await migrate(owner ?? app, undefined, new pg.Client(app).user)
}
