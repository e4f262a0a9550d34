/**
 * Fetches the scripts and sheets of the page at this address beside those of the office, which would ask for them only once
 * it runs. The build writes their names into index.html (`pagesAhead` in ../../bundle.ts).
 */
export const preloadPage = (path: string): void => {
  const known = document.querySelector<HTMLMetaElement>('meta[name="page-files"]')?.content ?? ''
  for (const line of known.split('|')) {
    const [start, ...files] = line.split(' ')
    if (!start || !`${path}/`.startsWith(`${start}/`)) continue
    for (const file of files) {
      const link = document.createElement('link')
      link.crossOrigin = ''
      if (file.endsWith('.css')) {
        link.rel = 'preload'
        link.as = 'style'
      } else link.rel = 'modulepreload'
      link.href = `/assets/${file}`
      document.head.append(link)
    }
  }
}
