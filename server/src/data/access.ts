import pg from 'pg'
import { migrate } from './migrate.ts'
import type { Settings } from '../config/settings.ts'

/** The ways to the database: `app` serves; `owner` migrates, or `app` does when there is no other. */
export type Access = { app: pg.ClientConfig; owner: pg.ClientConfig | undefined }

/** The database at DATABASE_URL, if one is set. */
export const outsideDatabase = ({ databaseUrl, databaseOwnerUrl }: Settings): Access | undefined =>
  databaseUrl === undefined
    ? undefined
    : {
        app: { connectionString: databaseUrl },
        owner: databaseOwnerUrl === undefined ? undefined : { connectionString: databaseOwnerUrl },
      }

/** Brings the schema up to date and gives the serving role its rights. @throws StartError */
export const migrateFor = async ({ app, owner }: Access): Promise<void> => {
  // pg knows whom an address names, and whom it takes when it names nobody.
  await migrate(owner ?? app, undefined, new pg.Client(app).user)
}
