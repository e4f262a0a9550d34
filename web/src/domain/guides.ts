/** The guides that the server brings (scripts/site), in English. */
export const GUIDES = '/docs/'
export const GUIDE_OF_ADMINISTRATORS = `${GUIDES}guides/administrators.html`
