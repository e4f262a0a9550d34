import { tallyroom } from './tallyroom.ts'

const headers = { 'Cache-Control': 'no-store' }

/** Answers the address in `data-sign-in`. `playerOf` finds in your own session who is signed in on your pages. */
export const widgetRoute = async (asked: Request, playerOf: (asked: Request) => string | undefined) => {
  // A page of another site cannot send this header along with the visitor's cookies.
  if (asked.method !== 'POST' || asked.headers.get('X-Tallyroom-Widget') !== '1')
    return new Response(null, { status: 403, headers })
  const player = playerOf(asked)
  if (player === undefined) return new Response(null, { status: 401, headers })
  const { token } = await tallyroom.signIn.token({ third_party_id: player, kind: 'widget' })
  return Response.json({ token }, { headers })
}
