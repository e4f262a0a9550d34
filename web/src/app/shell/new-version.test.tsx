import { screen } from '@testing-library/react'
import { expect, onTestFinished, test, vi } from 'vitest'
import { t } from '../../i18n/i18n.ts'
import { renderOffice } from '../../testing/render.tsx'
import { lookForNewVersion, NewVersion } from './new-version.tsx'

const pageWith = (script: string) => `<body><script type="module" crossorigin src="${script}"></script></body>`

test('[SHELL-01] an open page offers the new version once the server has one, and nothing before', async () => {
  // In the document it would be loaded.
  const script = document.createElement('script')
  script.setAttribute('src', '/assets/index-one.js')
  vi.spyOn(document, 'querySelector').mockReturnValue(script)
  onTestFinished(() => void vi.restoreAllMocks())
  const button = () => screen.queryByRole('button', { name: t('shell.new_version') })
  await renderOffice(<NewVersion />)
  const fetched = vi.spyOn(globalThis, 'fetch')
  fetched.mockRejectedValueOnce(new TypeError('no network'))
  for (const answer of [
    new Response('busy', { status: 503 }),
    new Response('<h1>Bad gateway</h1>'),
    new Response(pageWith('/assets/index-one.js')),
  ])
    fetched.mockResolvedValueOnce(answer)
  for (let times = 0; times < 4; times++) {
    await lookForNewVersion()
    expect(button()).toBeNull()
  }
  fetched.mockResolvedValueOnce(new Response(pageWith('/assets/index-two.js')))
  await lookForNewVersion()
  expect(await screen.findByRole('button', { name: t('shell.new_version') })).toBeTruthy()
})
