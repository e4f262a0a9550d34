import type { Face } from '../../config/setting-types.ts'
import type { Tx } from '../../data/sql.ts'
import type { TokenKind } from './tokens.ts'

/** The account that has signed in. Its session is opened in the same transaction. */
export type SignedIn = {
  id: number
  topId: number
  face: Face
  method: TokenKind | 'password' | 'passkey' | 'signup'
}
export type OpenSession<T> = (db: Tx, who: SignedIn) => Promise<T>
