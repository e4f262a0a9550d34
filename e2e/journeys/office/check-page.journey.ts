import { readFileSync } from 'node:fs'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { expect, test } from '@playwright/test'
import { expectAccessible } from '../../support/page/axe.ts'
import { HOSTILE, watchForInjection } from '../../support/hostile.ts'

const at = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url))
const seal = readFileSync(at('support/sealed/statement.seal.json'), 'utf8')
const csv = readFileSync(at('support/sealed/statement.csv'), 'utf8')

test('[BOOK-05] the check page, opened from the disk without a connection, checks saved files and finds a changed one', async ({
  browser,
}) => {
  const context = await browser.newContext({ offline: true })
  const page = await context.newPage()
  const expectNothingRan = watchForInjection(page)
  const faults: string[] = []
  page.on('pageerror', ({ message }) => faults.push(message))
  await page.goto(pathToFileURL(at('../web/public/check.html')).href)
  const results = page.getByRole('status').getByRole('listitem')
  const choose = (files: Record<string, string>) =>
    page
      .getByLabel('Files')
      .setInputFiles(
        Object.entries(files).map(([name, text]) => ({ name, mimeType: 'text/plain', buffer: Buffer.from(text) })),
      )
  await choose({ 'a.seal.json': seal, 'a.csv': csv })
  await expect(results.filter({ hasText: 'The CSV file has the same movements' })).toHaveClass('good')
  await expect(results.filter({ hasText: '3 movements of 1 wallets lead to the head of block 3' })).toHaveClass('good')
  await expect(page.locator('.bad')).toHaveCount(0)
  await expect(page.getByRole('row')).toHaveCount(4)
  await expectAccessible(page)
  await choose({ 'a.seal.json': seal, 'a.csv': csv.replace('"250.0000"', '"950.0000"') })
  await expect(page.locator('.bad')).toHaveText(/The CSV file differs from movement/)
  await choose({ 'a.seal.json': seal.replace('"305000"', '"905000"') })
  await expect(page.locator('.bad')).toHaveText(/is not as block 3 sealed it/)
  // Texts of files that somebody else made are shown, not run.
  const { statement, ...rest } = JSON.parse(seal) as { statement: object }
  await choose({
    'a.seal.json': JSON.stringify({
      ...rest,
      statement: { ...statement, account: HOSTILE, scope: HOSTILE, closing: HOSTILE },
    }),
    'a.csv': csv.replaceAll('Weekly, ""bonus""', HOSTILE.replaceAll('"', '""')),
  })
  await expect(results.filter({ hasText: 'Statement of' })).toContainText('<script>window.ran=1</script>')
  await expect(page.locator('.bad')).toContainText('closing')
  await choose({ 'a.seal.json': JSON.stringify({ ...rest, format: HOSTILE, statement }) })
  await expect(page.locator('.bad')).toHaveText(/not a seal file/)
  await expectNothingRan()
  expect(faults).toEqual([])
  await context.close()
})
