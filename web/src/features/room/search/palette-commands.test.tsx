import { screen } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { t } from '../../../i18n/i18n.ts'
import { renderOffice } from '../../../testing/render.tsx'
import { commands, useCommand } from '../state/commands.ts'
import { commandSource } from './palette-commands.ts'

const run = vi.fn<() => void>()
const Offers = () => {
  useCommand('take', run)
  useCommand('hide', undefined)
  return (
    <>
      <button type="button" data-key="points">
        {t('room.points')}
      </button>
      <button type="button" data-key="photo" disabled>
        {t('message.add_image')}
      </button>
    </>
  )
}
const List = ({ text }: { text: string }) => {
  const { choices } = commandSource.useChoices(text)
  return choices.map((choice) => (
    <p key={choice.key} role="option" aria-selected="false" onClick={choice.run}>
      {`${choice.title} ${choice.keys}`}
    </p>
  ))
}
const offered = () => screen.queryAllByRole('option').map(({ textContent }) => textContent)
const shown = (id: 'take' | 'points') => `${t(commands[id].word)} Alt+${commands[id].key}`

test('[CONV-03] the palette has what the conversation offers now, with its keys, and runs it', async () => {
  await renderOffice(<Offers />)
  const { user } = await renderOffice(<List text="" />)
  expect(offered()).toEqual([shown('take'), shown('points')])
  await user.click(screen.getByText(shown('take')))
  expect(run).toHaveBeenCalledTimes(1)
})

test('[CONV-03] a command is found by its word', async () => {
  await renderOffice(<Offers />)
  await renderOffice(<List text={t('room.points').slice(0, 6)} />)
  expect(offered()).toEqual([shown('points')])
})
