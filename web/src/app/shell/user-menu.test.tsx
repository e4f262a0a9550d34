import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test, vi } from 'vitest'
import { call, setSessionEndHandler } from '../../api/call.ts'
import { t } from '../../i18n/i18n.ts'
import { server } from '../../testing/fake-server.ts'
import { ownAccount } from '../../testing/fixtures.ts'
import { renderOffice } from '../../testing/render.tsx'
import { UserMenu } from './user-menu.tsx'

test('[AUTH-11] while one signs out, a call that finds the session gone gives no other reason', async () => {
  const ended = vi.fn<(reason: string) => void>()
  setSessionEndHandler(ended)
  const own = ownAccount({ nickname: 'Dana' })
  await renderOffice(<UserMenu own={own} narrow={false} onTheme={() => {}} />)
  server.refuses('userMenu/list', 'session.dead', { reason: 'ended' })
  const user = userEvent.setup()
  await expect(call('userMenu/list', {})).rejects.toMatchObject({ refusal: 'session.dead' })
  expect(ended).toHaveBeenCalledExactlyOnceWith('ended')

  // It never answers, so that the page stays.
  server.delays('logout', null)
  await user.click(screen.getByRole('button', { name: t('shell.user_menu', { name: 'Dana' }) }))
  await user.click(await screen.findByRole('menuitem', { name: t('shell.logout') }))
  expect(server.asked('logout')).toHaveLength(1)
  await expect(call('userMenu/list', {})).rejects.toMatchObject({ refusal: 'session.dead' })
  expect(ended).toHaveBeenCalledOnce()
})

test.each([true, false])(
  '[SHELL-02] the user menu has the share code where the toolbar has no room for it: %s',
  async (narrow) => {
    const own = ownAccount({ nickname: 'Dana', share_code: 'AB12CD' })
    await renderOffice(<UserMenu own={own} narrow={narrow} onTheme={() => {}} />)
    await userEvent.setup().click(screen.getByRole('button', { name: t('shell.user_menu', { name: 'Dana' }) }))
    expect(screen.queryByText('AB12CD') !== null).toBe(narrow)
  },
)
