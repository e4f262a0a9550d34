// `npm run demo`: `npm start -- --demo`.
process.env.DEMO = '1'
await import('./start.mjs')
