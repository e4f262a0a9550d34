import sharp from 'sharp'

/** Four seconds of a melody, as Chromium records it. */
const MELODY = [
  'GkXfo59ChoEBQveBAULygQRC84EIQoKEd2VibUKHgQRChYECGFOAZwEAAAAAABExEU2bdLlNu4tTq4QVSalmU6yBbk27i1OrhBZUrmtTrIGTTbuL',
  'U6uEH0O2dVOsgddNu4xTq4QcU7trU6yCER/srgAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAVSalmoCrXsYMP',
  'QkBEiYRFc7HsTYCGQ2hyb21lV0GGQ2hyb21lFlSua7+uvdeBAXPFh2KgSIkoV3eDgQKGhkFfT1BVU2Oik09wdXNIZWFkAQIAAIC7AAAAAADhjbWE',
  'RzuAAJ+BAmJkgSAfQ7Z1AQAAAAAAEDzngQCjk4EAAIAYAvkuaC8hSsxLxHDgM6ijkoEAO4AYAfGsw4zYC9cFtr0Q0qO9gQB5gBhh8azDjGv5vE9n',
  'Q+h8JpXJSUZhm7dvz+y/bE/vaFso7S5mwyqPvlhrfgxoihCOagXh0mQhhse9hqPFgQC0gBjnsquNXvSLo4H1/Z4sRmxzLrO4gjp5bg3C9T04oneW',
  'EksgDIEqddt2qdBdiozdDhXt73xTuDRPrCZh5gXWHS6Ao8qBAO+AGOidg2FLWDQKqYsIk9/q+waM12J48VC3ScDijJcO8+0YMeSAcJE3/XFlZzgJ',
  'qG8LAAMGZqN4nJaKC6XixgQpxOGEZ8lY9KO/gQEtgBjovNuQYL0LOwcbtNAMjtEBzAyZzfQIIvDMvxnfHdh9gdc85S8k9sVjiqLq8QMfbAQAqMeB',
  'W4G5l1Poo8mBAWiAGOimCV9GwPNvPgu9jmvVKrioTQ+RGEu64MLMjKLoT9kdS1NWKcapOkkrVhQ9z8t21d5EQ9a3Ptg1LbCHyj/G80yUXLGoo8CB',
  'AaOAGOeURH9XGz0dpYjUvICLwZvf78FHyDhWz0pIkzzq53x+8fPHmU6Jef7SAvaxToxq8Y1Oa8bBbXQZkKOxo7WBAeGAGObAbwIBnKR70oG/8Al0',
  'LN4bXksdd3lxIph9pHtdrT33fsEcnsshez8BzRBUpyTvQKOwgQIcgBji8aOYClfq+kTZYiAOcXsRHbQNxzu1fcVSjsB7vij/1nA8WhOwL5YJnUUY',
  'o8GBAleAGOcwKv4BhZHR3uL81TVzYGm9dRaWZ/5Qv05KnfgAi6P227fH45lS0AuhdC8s8QIET/kkYPGY0kTLTkyF1qPBgQKVgBjpVAZI7jP5S8An',
  'dqOeaKOQaDbPBkM0QLou2PXaiEwg0CIReaSdK0JnToWReq8wXlMQjyQ+MNpTzfzm1BejxIEC0IAY6eXY0NNnQD/7hAUJ1AqMUFIcheTk6Jsp7REK',
  'T6rc4euz2A5KswXzBNFDZbAsgWqsd2OZI2yJvVKcepSZx4pCo7+BAwuAGOn6kytnPAB3c+Ewf+T+4SwRgLbp5QO+hDsMtlB+jXGHlH/8x4lk1tI+',
  'gqb4xHfwtooDLPtDxpSxl8ijxIEDSYAY6Sw7tCz6Bt2zxSC+0wFYSRi9DDXGd9+DkPd1t2Js8TC/KOtW9JUxWeNMYYTJVeEYx1xiFZJkjZ+HHnDi',
  'Xagwo76BA4SAGOfx1D9MkwwfEeA4aGkoJeo/FL+Qf5o+lGIodrdNqyZxfg/aoatO3c7RwdjqEQAZKZoA337I9r+9NKPBgQO/gBjGy/6NwR+XhVxG',
  'FlAVhWHe7fcx2AaA03UoRjjp9DaWguJCvijTty3vxW7tzd9gRDrWKtxOfB8MrI6E92yjxYED/YAYK63js774jvYA1qKRR82wzpjP2d7oofCHymmy',
  '5AFA30g4CZjyXPsNkzZj4tH7d1N1OPUe380EApCZqRcGVqHOwKOxgQQ4gBjpnx1rG9pgg+sE8/OQmmQNj+8RY7fHJfA0GihVfSmWbT6qoYcZiWGF',
  'S2fFuKOwgQRzgBjq05TMmc+rE5RSCHiFzfTIn0FktQdle1kCjmmMfFSDDV95FCIfu9X7llN2o7WBBLGAGOpr+EFxGljgISHZOUQhdDh93/1+5xsk',
  'H7iOaq8BrMVBeQPH2ZVWvt20xyjYO+fggKPEgQTsgBjqUL/8oazv7+cAhxke7DPrDgTyl97giu+OSgFxfx/CAp7JcBxr1qgdWt5pwxUoElTu2jO9',
  'vM1rmc+QAtR2tNyjtIEFJ4AY6JYzesznmpU8g1ruQYB/DTigpuYOAwxjB2P38+TMRwNzxE5qHOEahY1MovugzPijuIEFYoAYxyJUFssUjhzCnB7W',
  'bYmHcq/HH99p7AO5tE02AScy6NlKkOVg0fCYI28DZE2YNNMA09qAo9GBBaCAGA2VGrKDX9Xyh7VOj5oocxmT4bprx4YZrCDjbUmtCV0oDRZVndbY',
  'q6Lfha14p/zWbKTtinEOq1o3L3UvxiHXulxQGZFKmEUQqNsEiBOjz4EF24AY58xo1KdjnXZZdGBi3Lq2XFDeHs2w6POYvgyfgG1Zlknd8Zll0O2i',
  'AWCMZFNBDc2epK2GPouJaKDZzUX2ujrasu1m2jBuscRlMlCjuoEGFoAY6KizNiR5k/wkxJVA53Xlg5lcalVNCSknGq8T1Kt++fIoLS49nBT/3MBA',
  'HgTQTGmuYQeZ8YCjyYEGVIAY6PZfXIgzoRDswlZ9mc6STazB/bMQuT0DMSzYA/dMT7xljHER1kiDrLA3NLp6wLCkrYET8sArZPEoABoIl6xEBHrO',
  'C4CjyYEGj4AY6Utfe8g1mQMeG+eZ9f17GBbYp2zBTWKPjlWMM7fmXIM5l2W2MpXkLD7lGbYE0wxLPsmNIjHqBRZIvxJ0oEpiG4WYW0CjyIEGyoAY',
  '6IfgcFfdIbXBU1zFCiNhGayzhY8pOUB2CR2cT61DIhvCslKiS6l7t3r5o9Zxx4/XamRZYywKPVLvyu3Ram5ABInfyKO9gQcIgBgBYBR1nISe9EyQ',
  'qUaIPtkQG+VZWngAzLNrNYcm7rei1JQli0nXjF7umJiUvtMOqOONKgsfUoMMwKO9gQdDgBgBMrIscuZSBaoqUY+hgMMs5shlhoIIHnNhklQ/B7mf',
  '5AxvM8kEaOxL4SHD5TDNDCrcezlyjovToqO8gQd+gBgg7wXU5V9Zf3p7pszTC8E9OozIJTRjfnGhTHUWHo7MAdLFaMZVbyk3M03ULiDiL0c5IbyQ',
  'eJoho7qBB7yAGOkDTMrfla+nujqq9KiBsloj7SyXilgGM0SQhQ6bcUHOTMkYhkuDLjsUXiArRnUJkX0jmMdAo7aBB/eAGOn9K39zQS3Ti3AAfxVm',
  'uLNF2olm1+d6s0hvJ5aKgkg/bZKL2QqqaJRtmZEOd7ch44+juYEIMoAY6kPkJd1UA3UemYTQGv5esXxIxsFS27CG/2nr3uGIgTod/SSX5f2gK7LV',
  '2qdSYT69rLEwbKO3gQhwgBjp5cKnMse49rjlmFXkDd6Y9/b1QMVwzFPmoVuDD2igv8zrFYsmvv55HnE6VsBObJR2YKO2gQirgBjoOA+eAvG5Al3h',
  'tymEi13RYNJS4PNlbHjUYh3r2FIKvTCrYTWGKJjOhjqQRL4umus4o7SBCOaAGIcCSHyc2P8hyeKsh5bmYNqnTCY3llfc9OZqkGmjTKRDPGvKERJs',
  'm1JiqmlwrqRYo8mBCSSAGAy1r3FMSIvJVceQi2qbnk+11mRtifibVlJZL5Db1CmboWwZzLelkPuEp6OIKCq+NJ+ZyAS6rXg1h+HaoVni7wUaIJSQ',
  'o8iBCV+AGOggL7TFGMAL0vEcWrP6RmPNHckVygcEldcKf/VoxRwIBP3ogPUSr6gJ6W9f08zeeYa1cZYrQuXjh4etG9uEBmVb2UCjz4EJmoAY6nUh',
  'wKOZT62SPff6IVSkp2siTqw4E9F9f3apt5fjVgeUHekVxf58UiaXMA49ik8bfYvMRNO/Qn156uIcba0WchiDeADtabAJFnmjxoEJ2IAY60L3jwvU',
  'uu0LPN8Xg5Jz3VcH85DZC/xwZrAMH83iT88NN7icUT0rMLS8i8Fm1gEjCnVQAaWBEbw/4j92Y2nomyyjxoEKE4AY663fJytB6xQ/bER10VYLBdJq',
  'mh8LU7LpNoACZle6GMr3Ys8k2c8t4HaD9pplqEy5G1qQs3Mu3ikXBnXMOM147vKjwIEKToAY6leJ31exNdnXeYlEJNHO6wwvta8Sm3/HPJGS6bvA',
  'mOd2bz2ft4jpKBkxwkb5WFZG89fBeflqzz4A1m6jvIEKjIAY6J2DYUtYKUOgk7oOIvBPzbl43VpDeq+I2OBrF2vLrO5S2FZBt5tvi3h9vnfrSzcc',
  'X/dL2M8dJqO1gQrHgBjnQa1ji0lJUElEgq+tbfhfXq34dufjLCBFDPY1DM4hEai5QEC6oznPqHxjM+pShGCj0oELAoAY44l59Xullb50ZNhGidBL',
  'U7Yj+1TB73U8lu4aq8YectJ85lCyv2XIr8gG4SzCXmSA/mwTxxgT7Hywj87d2yioEu5kaTQLbmmk3jKpP7CjuoELQIAY6F4B13QWqZ6dOQcHHcsq',
  '/bf6TpKjzMamg9carw+9pVp+yU8nOmRBQaNJGRD7uTXSCdZTjMCjx4ELe4AY6UpESiE1EsFZRBwdqRPhIR+cHqtlkj+NGnUNBP7S7lD1mKvHTFi1',
  'h32wBiFDEpYc9BWP4YXDGKiVr2f5eKbpHS+ko8OBC7aAGOmdaaLMvZw2D1Ign4C0zVg700DENDaINroy7JQI2LupY9S3eQDpnKapXbycE+1cHRZ9',
  '7K5z11jG+j00Q0GIo7+BC/SAGOmQHFwB1KtaNJxaHNGd7bVNKris/O7UGQrG/ztPqrX+hXpk6PIRJ6gJn1REzOdxrFCmK+RFJR2bS1CjuoEML4AY',
  '6DXwt1WiCtuCj8EsHP6n7auj+p+eQvtc0PEkiCNcQWB4QEQ+gHJP4Jm3YGhztMOrCgJMx2SjtoEMaoAY5v30Vfe+AITREraDF5hDQKioNagmT5NB',
  'T89M51fDc7Ync1bmy+pAlPvEsd0kE65LwKO+gQyogBjilbFDPEbnSB51UnqcoaTDj+Zjsq+T584BzGvdsP8CvdGcBJSVbgJMSVfp3lTJRFrA+vhW',
  'Vi1C06CjyYEM44AY5vYKX7TkdMd+CJkSxjXE/XDW2j+noa/5LpkabX1C9JuVDuV4Qh4n9lRyjwOh2OONBTKwLO7W9nKF/yueKsTW5fnq/Gijt4EN',
  'HoAY6tSPkvDUI8ChbvdxHuzuRiYY1tPdCIn/pZSWldOgArOpH9D9rK3xLJOCAUj6ZNB9koCjuIENXIAY6vBpa6AOK+eg6VWYTH8yLBbnj4CGOKTo',
  'pQkZ4ahwS6Sg8w7sWMqE/dZn8VQZc3n06cOYo76BDZeAGOrh0cCjmU+uJV8UqnxqOxRGEigoUyEibCWqO2g17Vbr+I2A6wb/aQPbYHhJbFMoDiKK',
  '63tm3ZDo8KPCgQ3TgBjp07vVwrPZpU37qdDUhnJC4p6p5LRchRGLuER6/s+V74WhhyhZYRc4P0HBjBbvU8XMmWNw2sQ0WX+8JoSYo7uBDhCAGOiG',
  'gP3f9CaUjAfWA4fln7tZK1SxcojhL2gobr/KIw0cd5VlyHqvDceDO6rx5iyQJmRwqGjwSqO3gQ5MgBjnH16qeCIwegQ0P1pc8r96K8aImASDi7K3',
  '3vQ7f4sYk9eGzGInSD2g2oIBgJU2gixfXaOxgQ6HgBjjiQk/u7OpWl5IeYFzh+Z7gWq8VWui7DE1ga7fXGselVD1rqV85G0o/VpFQKOzgQ7FgBgL',
  'LKubzlxJT2d2zBfARpZEnQX69enrh+QB2rnnBmr10z/EIvq0ykJKblsJESLAo7GBDwCAGAnxlXh7TC2Poh2XcQ2ggx1fcRGQzKzcGWWDSZFUUIgA',
  'N7XXKJkvWi41tJGAo7GBDzuAGASXZQk62wD24giyRTsg/vxE3XkHcnaIUwB0YZhxzRC8vHrvARv06YmHXW4yHFO7a427i7OBALeG94EB8YHX',
].join('')

export const voiceNote = {
  bytes: Buffer.from(MELODY, 'base64'),
  waveform: [
    2, 3, 14, 17, 6, 2, 20, 24, 9, 3, 26, 30, 12, 4, 13, 16, 6, 2, 19, 25, 10, 3, 24, 31, 13, 4, 14, 18, 7, 2, 4, 2,
  ],
}

/** The screenshot of a slip, as a bank's app draws it: a PNG in a data URL. */
export const slipPicture = async (rows: readonly (readonly [label: string, value: string])[]): Promise<string> => {
  const lines = rows.map(
    ([label, value], n) =>
      `<text x="40" y="${310 + n * 70}" fill="#667">${label}</text><text x="500" y="${310 + n * 70}" text-anchor="end">${value}</text>`,
  )
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="540" height="${340 + rows.length * 70}" font-family="DejaVu Sans, sans-serif" font-size="22">
    <rect width="100%" height="100%" fill="#fff"/><rect width="100%" height="90" fill="#b3202c"/>
    <circle cx="270" cy="165" r="36" fill="#1d8f4e"/><path d="M254 166l11 11 21-23" fill="none" stroke="#fff" stroke-width="6"/>
    <text x="270" y="245" text-anchor="middle" font-size="28">Transfer completed</text>${lines.join('')}</svg>`
  const image = await sharp(Buffer.from(svg)).png().toBuffer()
  return `data:image/png;base64,${image.toString('base64')}`
}

/** A slip of one page. */
export const slip = (): Buffer => {
  const words = ['Bank transfer', 'To: Dana', 'Amount: 250.50', 'Reference: 4471 2026', 'Status: completed']
  const lines = words.map((text, n) => `BT /F1 ${n ? 12 : 20} Tf 40 ${250 - n * 30} Td (${text}) Tj ET`).join('\n')
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Count 1 /Kids [3 0 R] >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 360 300] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
    `<< /Length ${lines.length} >>\nstream\n${lines}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  ]
  let pdf = '%PDF-1.4\n'
  const rows = objects.map((object, n) => {
    const row = `${String(pdf.length).padStart(10, '0')} 00000 n \n`
    pdf += `${n + 1} 0 obj\n${object}\nendobj\n`
    return row
  })
  const table = `xref\n0 ${rows.length + 1}\n0000000000 65535 f \n${rows.join('')}`
  const trailer = `trailer\n<< /Size ${rows.length + 1} /Root 1 0 R >>\nstartxref\n${pdf.length}\n%%EOF\n`
  return Buffer.from(pdf + table + trailer)
}
